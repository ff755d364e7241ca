// Searches by ranks that meet, on as many ranks as this is started with.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "rooftop/routing_mpi.hpp"

namespace rooftop::routing {
namespace {

struct World {
  int rank = 0, size = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

Instance in_plane(std::int32_t cities) {
  std::mt19937 random(static_cast<std::uint32_t>(cities));
  std::uniform_real_distribution<double> place(0, 10'000);
  Instance instance;
  instance.cities = cities;
  for (std::int32_t i = 0; i < cities; ++i) instance.x.push_back(place(random)), instance.y.push_back(place(random));
  return instance;
}

void expect_same_everywhere(const Solution& solution) {
  std::vector<std::int32_t> first = solution.order;
  std::int64_t told[] = {solution.length, solution.iterations, static_cast<std::int64_t>(solution.history.size())};
  const std::vector<std::int64_t> own(std::begin(told), std::end(told));
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_INT32_T, 0, MPI_COMM_WORLD);
  MPI_Bcast(told, 3, MPI_INT64_T, 0, MPI_COMM_WORLD);
  EXPECT_EQ(solution.order, first);
  EXPECT_TRUE(std::equal(own.begin(), own.end(), told));
}

void expect_tour(const Instance& instance, const Solution& solution) {
  EXPECT_EQ(solution.length, length(instance, solution.order));  // which refuses what is no tour
  ASSERT_FALSE(solution.history.empty());
  EXPECT_EQ(solution.history.back().length, solution.length);
}

class ByRanks : public testing::TestWithParam<std::int32_t> {};

TEST_P(ByRanks, FindOneTourForAll) {
  const Instance instance = in_plane(GetParam());
  const Solution found = solve(instance, {.iterations = 1003, .seed = 5, .threads = 1, .watch = {}}, MPI_COMM_WORLD);
  expect_tour(instance, found);
  expect_same_everywhere(found);
}

TEST_P(ByRanks, AreTheSameAgainWhateverTheThreads) {
  const Instance instance = in_plane(GetParam());
  const Options options{.iterations = 400, .seed = 7, .threads = 1, .watch = {}};
  Options more = options;
  more.threads = 2;
  EXPECT_EQ(solve(instance, options, MPI_COMM_WORLD).order, solve(instance, more, MPI_COMM_WORLD).order);
}

INSTANTIATE_TEST_SUITE_P(Cities, ByRanks, testing::Values(3, 8, 9, 97, 1009));

TEST(Ranks, OneAloneFindsWhatAProcessFinds) {
  if (World().size > 1) GTEST_SKIP() << "there are others";
  const Instance instance = in_plane(300);
  const Options options{.iterations = 500, .seed = 3, .threads = 1, .watch = {}};
  EXPECT_EQ(solve(instance, options, MPI_COMM_WORLD).order, solve(instance, options).order);
}

TEST(Ranks, ShareOutTheAnts) {
  const Instance instance = in_plane(200);
  const Solution found = solve(instance, {.iterations = 501, .seed = 1, .threads = 1, .watch = {}}, MPI_COMM_WORLD);
  EXPECT_EQ(found.iterations, 501);
}

TEST(Ranks, GoOnWhereOneIsStopped) {
  const Instance instance = in_plane(200);
  Options options{.iterations = 600, .seed = 1, .threads = 1, .watch = {}};
  if (World().rank == 0) options.watch = [](const Progress&) { return false; };
  const Solution found = solve(instance, options, MPI_COMM_WORLD);
  expect_tour(instance, found);
  expect_same_everywhere(found);
}

TEST(Ranks, KeepToTheirTime) {
  const Instance instance = in_plane(300);
  const Solution found = solve(instance, {.seconds = 0.2, .seed = 1, .threads = 1, .watch = {}}, MPI_COMM_WORLD);
  expect_tour(instance, found);
  expect_same_everywhere(found);
}

TEST(Ranks, RefuseTheSameAtOnce) {
  const Instance instance = in_plane(50);
  EXPECT_THROW(static_cast<void>(solve(instance, {.seconds = -1, .watch = {}}, MPI_COMM_WORLD)), InvalidInput);
  if (World().size > 1) {
    EXPECT_THROW(static_cast<void>(solve(instance, {.iterations = 1, .watch = {}}, MPI_COMM_WORLD)), InvalidInput);
  }
}

}  // namespace
}  // namespace rooftop::routing

int main(int count, char** arguments) {
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  testing::InitGoogleTest(&count, arguments);
  if (rooftop::routing::World().rank != 0) {
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
