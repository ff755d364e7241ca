// Asymmetric problems and fixed edges: what a tour must have it has, and it is the shortest that does.
#include "nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "rooftop/routing.hpp"

namespace rooftop::routing {
namespace {

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

Instance in_plane(City cities, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1'000);
  Instance instance;
  instance.cities = cities;
  for (City i = 0; i < cities; ++i) instance.x.push_back(place(random)), instance.y.push_back(place(random));
  return instance;
}

/// Edges of a tour by chance, so that one tour has them all.
std::vector<std::pair<City, City>> some_edges(City cities, std::size_t count, std::uint32_t seed, bool symmetric) {
  std::vector<City> order = counted(cities);
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::pair<City, City>> edges;
  for (std::size_t i = 0; i < order.size(); ++i) edges.emplace_back(order[i], order[(i + 1) % order.size()]);
  std::shuffle(edges.begin(), edges.end(), random);
  edges.resize(count);
  for (auto& [a, b] : edges) {
    if (symmetric && random() % 2 == 0) std::swap(a, b);
  }
  return edges;
}

bool has(const Instance& instance, const std::vector<City>& order, std::pair<City, City> edge) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::pair<City, City> here{order[i], order[(i + 1) % order.size()]};
    if (here == edge || (instance.symmetric && here == std::pair(edge.second, edge.first))) return true;
  }
  return false;
}

bool has_all(const Instance& instance, const std::vector<City>& order) {
  return std::all_of(instance.fixed_edges.begin(), instance.fixed_edges.end(),
                     [&](const auto& edge) { return has(instance, order, edge); });
}

Length shortest(const Instance& instance) {
  std::vector<City> order = counted(instance.cities);
  Length best = std::numeric_limits<Length>::max();
  do {
    if (has_all(instance, order)) best = std::min(best, length(instance, order));
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return best;
}

Solution solved(const Instance& instance, std::int64_t iterations, int threads = 1) {
  Options options;
  options.iterations = iterations;
  options.threads = threads;
  Solution solution = solve(instance, options);
  std::vector<City> sorted = solution.order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, counted(instance.cities));
  EXPECT_EQ(solution.length, length(instance, solution.order));
  EXPECT_EQ(solution.length, solution.history.back().length);
  EXPECT_TRUE(has_all(instance, solution.order));
  return solution;
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
  const Instance plane = in_plane(60, 2);
  Instance other;
  other.cities = plane.cities;
  other.symmetric = false;
  other.metric = Metric::matrix;
  for (City i = 0; i < 60; ++i) {
    for (City j = 0; j < 60; ++j) other.matrix.push_back(distance(plane, i, j));
  }
  EXPECT_EQ(solved(other, 5'000).length, solved(plane, 5'000).length);
}

TEST(Asymmetric, GoesRoundTheOnlyCheapWay) {
  // From each city on to the next costs 1, every other way 100: the tour of length n has one direction alone.
  for (const City cities : {10, 101, 211}) {
    Instance instance;
    instance.cities = cities;
    instance.symmetric = false;
    instance.metric = Metric::matrix;
    for (City i = 0; i < cities; ++i) {
      for (City j = 0; j < cities; ++j) instance.matrix.push_back(j == (i + 7) % cities ? 1 : 100);
    }
    EXPECT_EQ(solved(instance, 2'000, 2).length, cities);
  }
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

TEST(FixedEdges, AreKeptAmongManyCities) {
  for (const bool symmetric : {true, false}) {
    for (const City cities : {10, 17, 101, 1'201}) {
      for (const City part : {10, 4, 2, 1}) {
        Instance instance = in_plane(cities, 4);
        instance.symmetric = symmetric;
        instance.fixed_edges = some_edges(cities, index(std::max(1, cities / part - 1)), 6, symmetric);
        solved(instance, 200, 2);
      }
    }
  }
}

TEST(FixedEdges, OfTheShortestTourChangeNothing) {
  Instance instance = in_plane(80, 9);
  const Solution without = solved(instance, 4'000);
  for (std::size_t i = 0; i < 80; i += 3) instance.fixed_edges.emplace_back(without.order[i], without.order[i + 1]);
  EXPECT_EQ(solved(instance, 4'000).length, without.length);
}

}  // namespace
}  // namespace rooftop::routing
