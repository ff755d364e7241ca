// A search ends in time and when it is asked to, with a plan, or with a word about why there is none.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>

#include "every_plan.hpp"
#include "graph.hpp"
#include "rooftop/network.hpp"
#include "router.hpp"

namespace {

namespace network = rooftop::network;

bool never() { return false; }
bool always() { return true; }

/// Says that there is time, so many times.
class Asked {
 public:
  explicit Asked(int times) : left_(times) {}
  bool operator()() { return left_-- > 0; }

 private:
  int left_;
};

TEST(Limit, OfNoTimeLeavesAPlanThatServesAll) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const network::Problem problem = network_test::random_problem(seed, 60, 90, 30, 2);
    network::Options options;
    options.seconds = 1e-9;
    const network::Solution found = network::solve(problem, options);
    ASSERT_EQ(found.front.size(), 1U);
    EXPECT_EQ(network_test::bill(problem, found.front[0].paths).values, found.front[0].values);
  }
}

TEST(Limit, OfAFlagEndsASearchOfAnyLength) {
  const network::Problem problem = network_test::random_problem(7, 60, 90, 30, 2);
  network::Options options;
  options.iterations = 1'000'000'000'000;
  std::int32_t stop = 0;
  options.stop = &stop;
  options.watch = [&stop](const network::Progress&) {
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    return true;
  };
  const network::Solution found = network::solve(problem, options);
  ASSERT_FALSE(found.front.empty());
  for (const network::PlanOfPaths& plan : found.front) {
    EXPECT_EQ(network_test::bill(problem, plan.paths).values, plan.values);
  }
}

TEST(Limit, BeforeThereIsAPlanIsTold) {
  const network::Problem problem = network_test::random_problem(7, 60, 90, 30, 2);
  network::Options options;
  const std::int32_t stop = 1;
  options.stop = &stop;
  EXPECT_THROW((void)network::solve(problem, options), network::Stopped);
  EXPECT_THROW((void)network::Graph(problem, 2, never), network::Stopped);
}

TEST(Limit, AmidObjectivesLeavesTheFirstOnes) {
  const network::Problem problem = network_test::random_problem(7, 60, 90, 30, 2);
  const network::Graph whole(problem, 1, always);
  const auto targets = static_cast<int>(whole.targets());
  EXPECT_EQ(whole.measured(), whole.objectives());
  for (std::size_t objectives = 1; objectives < whole.objectives(); ++objectives) {
    const int searches = targets * static_cast<int>(objectives);
    EXPECT_EQ(network::Graph(problem, 1, Asked(searches)).measured(), objectives);
    EXPECT_EQ(network::Graph(problem, 1, Asked(searches + targets - 1)).measured(), objectives);
  }
}

// Arcs that cost nothing lead round and round a ring that has a way out at one place.
TEST(Straight, EndsWhereArcsCostNothing) {
  network::Problem problem;
  problem.nodes = 8;
  problem.months = problem.objectives = 1;
  for (std::int32_t node = 0; node < 7; ++node) {
    for (const std::int32_t to : {(node + 1) % 7, (node + 6) % 7})
      problem.tail.push_back(node), problem.head.push_back(to);
  }
  problem.tail.push_back(3);
  problem.head.push_back(7);
  problem.capacity_kg.assign(problem.tail.size(), network::unlimited);
  problem.payload_kg = 10;
  problem.per_vehicle.assign(problem.tail.size(), 0);
  problem.per_kg = problem.per_vehicle;
  problem.shipments = {{0, 0, 7, 10}};
  const network::Graph graph(problem, 1, always);
  const network::Path path = network::Router(graph).straight(0);
  EXPECT_EQ(network_test::bill(problem, {path}).values, network_test::Point{0});
}

}  // namespace
