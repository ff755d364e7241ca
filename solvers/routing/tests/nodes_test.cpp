// Asymmetric problems and fixed edges: what a tour must have it has, and it is the shortest that does.
// threads: none
#include "nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "rooftop/routing.hpp"
#include "solved.hpp"

namespace rooftop::routing {
namespace {

using testing::has_all;
using testing::in_plane;
using testing::some_edges;

std::vector<City> counted(City cities) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Distances by chance, up to the largest that fit.
Instance by_chance(City cities, std::uint32_t seed, bool symmetric, Cost largest = 1'000) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Cost> cost(-largest / 4, largest);
  Instance instance;
  instance.cities = cities;
  instance.symmetric = symmetric;
  instance.metric = Metric::matrix;
  for (City i = 0; i < cities * cities; ++i) instance.matrix.push_back(cost(random));
  for (City i = 0; i < cities && symmetric; ++i) {
    for (City j = 0; j < i; ++j) instance.matrix[index(i * cities + j)] = instance.matrix[index(j * cities + i)];
  }
  return instance;
}

Length shortest(const Instance& instance) {
  std::vector<City> order = counted(instance.cities);
  Length best = std::numeric_limits<Length>::max();
  do {
    if (has_all(instance, order)) best = std::min(best, length(instance, order));
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return best;
}

Solution solved(const Instance& instance, std::int64_t iterations) {
  return testing::solved(instance, {.iterations = iterations, .threads = 1, .watch = {}});
}

TEST(Asymmetric, FindsTheShortestTourOfFewCities) {
  for (City cities = 3; cities <= 9; ++cities) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const Instance instance = by_chance(cities, seed, false);
      EXPECT_EQ(solved(instance, 300).length, shortest(instance)) << cities << " cities, seed " << seed;
    }
  }
}

TEST(Asymmetric, AgreesWithTheSymmetricSearch) {
  const Instance plane = in_plane(60, 2, 1'000);
  Instance other;
  other.cities = plane.cities;
  other.symmetric = false;
  other.metric = Metric::matrix;
  for (City i = 0; i < 60; ++i) {
    for (City j = 0; j < 60; ++j) other.matrix.push_back(distance(plane, i, j));
  }
  EXPECT_EQ(solved(other, 5'000).length, solved(plane, 5'000).length);
}

TEST(Asymmetric, TakesTheLargestDistances) {
  for (const bool symmetric : {true, false}) {
    solved(by_chance(40, 3, symmetric, std::numeric_limits<Cost>::max()), 200);
  }
}

TEST(FixedEdges, AreInTheShortestTourThatHasThem) {
  for (const bool symmetric : {true, false}) {
    for (City cities = 3; cities <= 9; ++cities) {
      for (std::size_t count = 1; count <= index(cities); ++count) {
        Instance instance = by_chance(cities, 11, symmetric);
        instance.fixed_edges = some_edges(cities, count, 5, symmetric);
        EXPECT_EQ(solved(instance, 300).length, shortest(instance))
            << cities << " cities, " << count << " fixed edges, symmetric: " << symmetric;
      }
    }
  }
}

TEST(FixedEdges, OfTheShortestTourChangeNothing) {
  Instance instance = in_plane(80, 9, 1'000);
  const Solution without = solved(instance, 4'000);
  for (std::size_t i = 0; i < 80; i += 3) instance.fixed_edges.emplace_back(without.order[i], without.order[i + 1]);
  EXPECT_EQ(solved(instance, 4'000).length, without.length);
}

}  // namespace
}  // namespace rooftop::routing
