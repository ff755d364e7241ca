// The search of several threads: the same tour on any number of them, shown and stopped as its caller says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "rooftop/routing.hpp"
#include "solved.hpp"

namespace rooftop::routing {
namespace {

using testing::in_plane;
using testing::solved;
using testing::some_edges;

TEST(Solve, GivesTheSameTourOnAnyNumberOfThreads) {
  const Instance instance = in_plane(1601, 7);  // three regions
  const auto of = [&](int threads, std::uint64_t seed) {
    return solved(instance, {.iterations = 500, .seed = seed, .threads = threads, .watch = {}});
  };
  const Solution one = of(1, 9);
  for (const int threads : {2, 3, 5}) EXPECT_EQ(of(threads, 9).order, one.order) << threads;
  EXPECT_EQ(one.iterations, 500);
  EXPECT_NE(of(1, 10).order, one.order);
}

TEST(Solve, ComesNearTheShortestTour) {
  // Of uniform cities in a square it tends to 0.7124 sqrt(n area), with a boundary term (D. S. Johnson, L. A. McGeoch,
  // E. E. Rothberg, 1996: 0.7080 (1 + 0.551 / n)), here within a few per cent.
  const Instance instance = in_plane(2000, 11);
  const double expected = 0.7124 * std::sqrt(2000.0) * 10'000 * (1 + 0.33 / std::sqrt(2000.0));
  const Solution solution = solved(instance, {.iterations = 3000, .threads = 2, .watch = {}});
  EXPECT_LT(static_cast<double>(solution.length), 1.06 * expected);
  EXPECT_GT(static_cast<double>(solution.length), 0.94 * expected);
}

TEST(Solve, StopsWhenItIsTold) {
  const Instance instance = in_plane(1000, 2);
  Options options;
  options.seconds = 3600;
  int calls = 0;
  options.watch = [&](const Progress& progress) {
    EXPECT_GT(progress.length, 0);
    return ++calls < 3;
  };
  const Solution solution = solve(instance, options);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(solution.length, length(instance, solution.order));
}

TEST(Solve, ShowsShorterAndShorterTours) {
  for (const std::int32_t cities : {7, 500}) {
    const Instance instance = in_plane(cities, 3);
    Options options{.iterations = 2000, .seed = 5, .threads = 2, .watch = {}};
    const Solution unseen = solve(instance, options);
    std::int64_t last = std::numeric_limits<std::int64_t>::max(), shown = 0;
    options.show_every = 0;
    options.show = [&](const Progress& progress, std::span<const std::int32_t> order) {
      ++shown;
      EXPECT_EQ(static_cast<std::int32_t>(order.size()), cities);
      EXPECT_EQ(length(instance, order), progress.length);
      EXPECT_LT(progress.length, last);
      last = progress.length;
    };
    const Solution solution = solve(instance, options);
    EXPECT_EQ(last, solution.length);
    EXPECT_TRUE(shown > 3 || cities < 8) << shown;
    EXPECT_EQ(solution.order, unseen.order);
    options.show_every = 3600;
    shown = 0, last = std::numeric_limits<std::int64_t>::max();
    static_cast<void>(solve(instance, options));
    EXPECT_EQ(shown, 1);
  }
}

TEST(Asymmetric, GoesRoundTheOnlyCheapWay) {
  // From each city on to the next costs 1, every other way 100: the tour of length n has one direction alone.
  for (const std::int32_t cities : {10, 101, 211}) {
    Instance instance;
    instance.cities = cities;
    instance.symmetric = false;
    instance.metric = Metric::matrix;
    for (std::int32_t i = 0; i < cities; ++i) {
      for (std::int32_t j = 0; j < cities; ++j) instance.matrix.push_back(j == (i + 7) % cities ? 1 : 100);
    }
    EXPECT_EQ(solved(instance, {.iterations = 2'000, .threads = 2, .watch = {}}).length, cities);
  }
}

TEST(FixedEdges, AreKeptAmongManyCities) {
  for (const bool symmetric : {true, false}) {
    for (const std::int32_t cities : {10, 17, 101, 1'201}) {
      for (const std::int32_t part : {10, 4, 2, 1}) {
        Instance instance = in_plane(cities, 4, 1'000);
        instance.symmetric = symmetric;
        instance.fixed_edges =
            some_edges(cities, static_cast<std::size_t>(std::max(1, cities / part - 1)), 6, symmetric);
        solved(instance, {.iterations = 200, .threads = 2, .watch = {}});
      }
    }
  }
}

TEST(Solve, RefusesMoreThreadsThanItCanStart) {
  try {
    static_cast<void>(solve(in_plane(10, 1), {.threads = 5000, .watch = {}}));
    ADD_FAILURE() << "not refused";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("threads"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rooftop::routing
