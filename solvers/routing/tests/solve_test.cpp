// The search: tours are tours, short ones, the same for a seed, and what cannot be solved is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "rooftop/routing.hpp"

namespace rooftop::routing {
namespace {

Instance in_plane(std::int32_t cities, std::uint32_t seed, double width = 10'000) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, width);
  Instance instance;
  instance.cities = cities;
  for (std::int32_t i = 0; i < cities; ++i) {
    instance.x.push_back(place(random));
    instance.y.push_back(place(random));
  }
  return instance;
}

Instance of_matrix(const Instance& plane) {
  Instance instance;
  instance.cities = plane.cities;
  instance.metric = Metric::matrix;
  for (std::int32_t i = 0; i < plane.cities; ++i) {
    for (std::int32_t j = 0; j < plane.cities; ++j) instance.matrix.push_back(distance(plane, i, j));
  }
  return instance;
}

Solution solved(const Instance& instance, std::int64_t iterations, int threads = 1, std::uint64_t seed = 1) {
  Options options;
  options.iterations = iterations;
  options.threads = threads;
  options.seed = seed;
  const Solution solution = solve(instance, options);
  std::vector<std::int32_t> sorted = solution.order;
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t i = 0; i < instance.cities; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(solution.order.front(), 0);
  EXPECT_EQ(solution.length, length(instance, solution.order));
  EXPECT_EQ(solution.length, solution.history.back().length);
  return solution;
}

/// By dynamic programming over sets of cities (Held and Karp).
std::int64_t shortest(const Instance& instance) {
  const auto n = static_cast<std::size_t>(instance.cities - 1);
  const auto cost = [&](std::size_t i, std::size_t j) {
    return std::int64_t{distance(instance, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j))};
  };
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max() / 2;
  std::vector<std::int64_t> best((std::size_t{1} << n) * n, none);
  for (std::size_t j = 0; j < n; ++j) best[(std::size_t{1} << j) * n + j] = cost(n, j);
  for (std::size_t set = 1; set < std::size_t{1} << n; ++set) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t here = best[set * n + j];
      if (here == none) continue;
      for (std::size_t k = 0; k < n; ++k) {
        if ((set >> k & 1U) != 0) continue;
        std::int64_t& next = best[(set | std::size_t{1} << k) * n + k];
        next = std::min(next, here + cost(j, k));
      }
    }
  }
  std::int64_t tour = none;
  for (std::size_t j = 0; j < n; ++j) tour = std::min(tour, best[((std::size_t{1} << n) - 1) * n + j] + cost(j, n));
  return tour;
}

TEST(Solve, FindsTheShortestTourOfFewCities) {
  for (std::int32_t cities = 3; cities <= 12; ++cities) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const Instance plane = in_plane(cities, seed);
      EXPECT_EQ(solved(plane, 300).length, shortest(plane)) << cities << " cities, seed " << seed;
      EXPECT_EQ(solved(of_matrix(plane), 300).length, shortest(plane)) << cities << " cities, seed " << seed;
    }
  }
}

TEST(Solve, FindsTheWayThroughAGrid) {
  for (const std::int32_t side : {4, 10, 24}) {
    Instance grid;
    grid.cities = side * side;
    for (std::int32_t i = 0; i < grid.cities; ++i) {
      grid.x.push_back(100.0 * (i % side));
      grid.y.push_back(100.0 * (i / side));
    }
    EXPECT_EQ(solved(grid, 4000).length, 100 * grid.cities);
  }
}

TEST(Solve, TakesEveryMetricAndCitiesAtOnePlace) {
  for (const std::int32_t cities : {3, 9, 13, 101, 600}) {
    Instance instance = in_plane(cities, 5, 80);
    for (const Metric metric :
         {Metric::euc_2d, Metric::ceil_2d, Metric::att, Metric::geo, Metric::max_2d, Metric::man_2d}) {
      instance.metric = metric;
      solved(instance, 100);
    }
    instance.z = instance.x;
    for (const Metric metric : {Metric::euc_3d, Metric::max_3d, Metric::man_3d, Metric::xray1, Metric::xray2}) {
      instance.metric = metric;
      solved(instance, 100);
    }
    Instance place;
    place.cities = cities;
    place.x.assign(static_cast<std::size_t>(cities), 7);
    place.y = place.x;
    EXPECT_EQ(solved(place, 100).length, 0);
    for (std::int32_t i = 0; i < cities; ++i) place.x[static_cast<std::size_t>(i)] = 10.0 * (i * 7919 % cities / 2);
    EXPECT_EQ(solved(place, 2000).length, 20 * ((cities - 1) / 2)) << cities << " cities on a line";
  }
}

TEST(Solve, TakesNegativeDistances) {
  Instance instance = of_matrix(in_plane(30, 3));
  for (std::int32_t& cost : instance.matrix) cost -= 20'000;
  EXPECT_LT(solved(instance, 200).length, 0);
}

TEST(Solve, GivesTheSameTourOnAnyNumberOfThreads) {
  const Instance instance = in_plane(1601, 7);  // three regions
  const Solution one = solved(instance, 500, 1, 9);
  for (const int threads : {2, 3, 5}) EXPECT_EQ(solved(instance, 500, threads, 9).order, one.order) << threads;
  EXPECT_EQ(one.iterations, 500);
  EXPECT_NE(solved(instance, 500, 1, 10).order, one.order);
}

TEST(Solve, ComesNearTheShortestTour) {
  // Of uniform cities in a square it tends to 0.7124 sqrt(n area), with a boundary term (D. S. Johnson, L. A. McGeoch,
  // E. E. Rothberg, 1996: 0.7080 (1 + 0.551 / n)), here within a few per cent.
  const Instance instance = in_plane(2000, 11);
  const double expected = 0.7124 * std::sqrt(2000.0) * 10'000 * (1 + 0.33 / std::sqrt(2000.0));
  const Solution solution = solved(instance, 3000, 2);
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

TEST(Solve, TellsOfShorterAndShorterTours) {
  const Solution solution = solved(in_plane(500, 3), 2000);
  for (std::size_t i = 1; i < solution.history.size(); ++i) {
    EXPECT_LT(solution.history[i].length, solution.history[i - 1].length);
    EXPECT_GE(solution.history[i].seconds, solution.history[i - 1].seconds);
  }
}

void expect_refused(const Instance& instance, const Options& options, const std::string& part) {
  try {
    static_cast<void>(solve(instance, options));
    ADD_FAILURE() << "not refused: " << part;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Solve, RefusesWhatItCannotSolve) {
  const Instance plane = in_plane(10, 1);
  Instance other = plane;
  other.fixed_edges = {{0, 1}, {1, 2}, {3, 1}};
  expect_refused(other, {}, "city 2 twice");
  other.fixed_edges = {{0, 1}, {1, 2}, {2, 0}};
  expect_refused(other, {}, "close a tour of some cities");
  Options options;
  options.seconds = std::numeric_limits<double>::quiet_NaN();
  expect_refused(plane, options, "seconds");
  options = {};
  options.iterations = -1;
  expect_refused(plane, options, "iterations");
  options = {};
  options.threads = 5000;
  expect_refused(plane, options, "threads");
}

TEST(Solve, RefusesAnInstanceThatIsNotWhole) {
  Instance plane = in_plane(10, 1);
  plane.y.pop_back();
  expect_refused(plane, {}, "9 coordinates y; expected one for each of 10 cities");
  Instance table;
  table.cities = 3;
  table.metric = Metric::matrix;
  table.matrix = {0, 1, 1, 1, 0, 1, 1, 1};
  expect_refused(table, {}, "a matrix of 8 distances; expected 9");
  table.matrix.push_back(0);
  table.matrix[5] = std::numeric_limits<std::int32_t>::min();
  expect_refused(table, {}, "from city 1 to city 2 is -2147483648");
}

}  // namespace
}  // namespace rooftop::routing
