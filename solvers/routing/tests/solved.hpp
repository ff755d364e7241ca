/// Cities in a plane, and solutions of which all that must hold is expected.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "rooftop/routing.hpp"

namespace rooftop::routing::testing {

inline Instance in_plane(std::int32_t cities, std::uint32_t seed, double width = 10'000) {
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

/// Edges of a tour by chance, so that one tour has them all.
inline std::vector<std::pair<std::int32_t, std::int32_t>> some_edges(std::int32_t cities, std::size_t count,
                                                                     std::uint32_t seed, bool symmetric) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(cities));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::size_t i = 0; i < order.size(); ++i) edges.emplace_back(order[i], order[(i + 1) % order.size()]);
  std::shuffle(edges.begin(), edges.end(), random);
  edges.resize(count);
  for (auto& [a, b] : edges) {
    if (symmetric && random() % 2 == 0) std::swap(a, b);
  }
  return edges;
}

inline bool has(const Instance& instance, const std::vector<std::int32_t>& order,
                std::pair<std::int32_t, std::int32_t> edge) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::pair here{order[i], order[(i + 1) % order.size()]};
    if (here == edge || (instance.symmetric && here == std::pair(edge.second, edge.first))) return true;
  }
  return false;
}

inline bool has_all(const Instance& instance, const std::vector<std::int32_t>& order) {
  return std::all_of(instance.fixed_edges.begin(), instance.fixed_edges.end(),
                     [&](const auto& edge) { return has(instance, order, edge); });
}

/// Solves, and expects a tour of all cities from the first one on, with all fixed edges and of the length that is told.
inline Solution solved(const Instance& instance, const Options& options) {
  Solution solution = solve(instance, options);
  std::vector<std::int32_t> sorted = solution.order;
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t i = 0; i < instance.cities; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(solution.order.front(), 0);
  EXPECT_EQ(solution.length, length(instance, solution.order));
  EXPECT_EQ(solution.length, solution.history.back().length);
  EXPECT_TRUE(has_all(instance, solution.order));
  return solution;
}

}  // namespace rooftop::routing::testing
