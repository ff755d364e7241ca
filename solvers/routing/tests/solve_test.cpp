// The search of one thread: tours are tours, and short ones, and what cannot be solved is said.
// threads: none
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rooftop/routing.hpp"
#include "solved.hpp"

namespace rooftop::routing {
namespace {

using testing::in_plane;

Instance of_matrix(const Instance& plane) {
  Instance instance;
  instance.cities = plane.cities;
  instance.metric = Metric::matrix;
  for (std::int32_t i = 0; i < plane.cities; ++i) {
    for (std::int32_t j = 0; j < plane.cities; ++j) instance.matrix.push_back(distance(plane, i, j));
  }
  return instance;
}

Solution solved(const Instance& instance, std::int64_t iterations) {
  return testing::solved(instance, {.iterations = iterations, .threads = 1, .watch = {}});
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
