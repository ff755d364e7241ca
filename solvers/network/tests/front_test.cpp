// Fronts of networks that are too large to look at every plan, and of some whose best plan is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "every_plan.hpp"
#include "rooftop/network.hpp"

namespace {

namespace network = rooftop::network;
using network_test::bill;
using network_test::Point;
using network_test::values_of;

network::Options ants(std::int64_t count, std::uint64_t seed = 1) {
  network::Options options;
  options.iterations = count;
  options.seed = seed;
  options.threads = 1;
  return options;
}

class Sound : public testing::TestWithParam<network::Trails> {};

TEST_P(Sound, PlansOfALargerNetworkKeepEverything) {
  const network::Problem problem = network_test::random_problem(77, 40, 120, 150, 3);
  network::Options options = ants(200);
  options.plans = 30;
  options.trails = GetParam();
  const network::Solution found = network::solve(problem, options);
  EXPECT_GT(found.front.size(), 5U);
  EXPECT_LE(found.front.size(), 30U);
  for (const network::PlanOfPaths& plan : found.front) {
    const network_test::Bill sum = bill(problem, plan.paths);
    EXPECT_EQ(sum.overload_kg, 0);
    for (std::size_t o = 0; o < 3; ++o) EXPECT_NEAR(sum.values[o], plan.values[o], 1e-9 * sum.values[o]);
    for (const network::PlanOfPaths& other : found.front)
      EXPECT_FALSE(network_test::dominates(other.values, plan.values));
  }
}

INSTANTIATE_TEST_SUITE_P(Trails, Sound, testing::Values(network::Trails::superposed, network::Trails::combined));

TEST(Front, DoesNotDependOnThreads) {
  const network::Problem problem = network_test::random_problem(5, 30, 60, 80, 2);
  network::Options options = ants(150, 9);
  options.weights = {1, 2, 0};
  options.threads = 1;
  const network::Solution alone = network::solve(problem, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const network::Solution found = network::solve(problem, options);
    EXPECT_EQ(found.iterations, 150);
    ASSERT_EQ(values_of(found), values_of(alone));
    for (std::size_t i = 0; i < found.front.size(); ++i) EXPECT_EQ(found.front[i].paths, alone.front[i].paths);
  }
  options.seed = 10;
  EXPECT_NE(values_of(network::solve(problem, options)), values_of(alone));
}

TEST(Front, SharesVehiclesWhereThatIsCheaper) {
  // Two shipments of half a vehicle: each alone is cheaper on its own arc, together they share a hub's.
  network::Problem problem;
  problem.nodes = 4;
  problem.months = problem.objectives = 1;
  problem.payload_kg = 10;
  problem.tail = {0, 0, 0, 1, 1};
  problem.head = {2, 3, 1, 2, 3};
  problem.capacity_kg.assign(5, network::unlimited);
  problem.per_vehicle = {10, 10, 9, 2, 2};
  problem.per_kg.assign(5, 0);
  problem.shipments = {{0, 0, 2, 5}, {0, 0, 3, 5}};
  const network::Solution found = network::solve(problem, ants(50));
  ASSERT_EQ(found.front.size(), 1U);
  EXPECT_EQ(found.front[0].values, Point{13});
}

TEST(Front, TellsWhatIsBeyondCapacitiesWhereNothingFits) {
  network::Problem problem;
  problem.nodes = 2;
  problem.months = problem.objectives = 1;
  problem.payload_kg = 10;
  problem.tail = {0, 0};
  problem.head = {1, 1};
  problem.capacity_kg = {3, 5};
  problem.per_vehicle = problem.per_kg = {1, 1};
  problem.shipments = {{0, 0, 1, 6}};
  const network::Solution found = network::solve(problem, ants(20));
  ASSERT_EQ(found.front.size(), 1U);
  EXPECT_EQ(found.front[0].overload_kg, 1);
}

TEST(Front, FindsRoomWhereLargestFirstDoesNot) {
  // 6 and 4 fill one arc, 5 and 5 the other.
  network::Problem problem;
  problem.nodes = 2;
  problem.months = problem.objectives = 1;
  problem.payload_kg = 10;
  problem.tail = {0, 0};
  problem.head = {1, 1};
  problem.capacity_kg = {10, 10};
  problem.per_vehicle = {1, 1};
  problem.per_kg = {1, 2};
  problem.shipments = {{0, 0, 1, 6}, {0, 0, 1, 5}, {0, 0, 1, 5}, {0, 0, 1, 4}};
  const network::Solution found = network::solve(problem, ants(200));
  EXPECT_EQ(found.front[0].overload_kg, 0);
  EXPECT_EQ(found.front[0].values, Point{32});
}

TEST(Front, EndsWhenItsWatcherSaysSo) {
  const network::Problem problem = network_test::random_problem(3, 10, 20, 20, 1);
  network::Options options;
  options.seconds = 3600;
  int calls = 0;
  options.watch = [&](const network::Progress& progress) {
    EXPECT_EQ(progress.points.size(), 3 * static_cast<std::size_t>(progress.plans));
    return ++calls < 3;
  };
  EXPECT_FALSE(network::solve(problem, options).front.empty());
  EXPECT_EQ(calls, 3);
}

}  // namespace
