// Spanning trees grown by rounds, held against trees that grow city by city, and the largest edges on their paths.
// threads: none
#include "spanning_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "field.hpp"

namespace rooftop::routing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A plane's graph of near cities, and tolls as any.
struct Taxed {
  explicit Taxed(City cities, City width = 6)
      : instance(in_plane(cities, 1000)),
        nodes(instance, counted(cities)),
        costs(instance, nodes),
        graph(symmetric(costs, near_neighbours(costs, sites(instance), width, 1))),
        tolls(index(cities)) {
    std::mt19937 random(static_cast<std::uint32_t>(cities));
    for (double& toll : tolls) toll = std::uniform_real_distribution<double>(-50, 50)(random);
  }

  Instance instance;
  Nodes nodes;
  Costs costs;
  Graph graph;
  std::vector<double> tolls;
};

/// The cost of the shortest forest, by Prim's algorithm from each city that no tree has reached.
double prim(const Graph& graph, const std::vector<double>& tolls) {
  const std::size_t n = tolls.size();
  std::vector<double> key(n, infinite);
  std::vector<bool> inside(n, false);
  double sum = 0;
  for (std::size_t round = 0; round < n; ++round) {
    std::size_t city = n;
    for (std::size_t c = 0; c < n; ++c) {
      if (!inside[c] && (city == n || key[c] < key[city])) city = c;
    }
    inside[city] = true;
    if (key[city] < infinite) sum += key[city];
    for (auto k = index(graph.head[city]); k < index(graph.head[city + 1]); ++k) {
      const std::size_t to = index(graph.to[k]);
      key[to] = std::min(key[to], graph.cost[k] + tolls[city] + tolls[to]);
    }
  }
  return sum;
}

TEST(OneTree, CostsAsMuchAsThatOfAnotherAlgorithm) {
  for (const City cities : {9, 10, 57, 400}) {
    for (const City width : {1, 2, 6}) {  // with few neighbours the graph falls apart
      const Taxed field(cities, width);
      OneTree tree(field.graph);
      const double length = tree.find(field.tolls);
      double sum = 0;
      for (const auto& [a, b, cost] : tree.edges()) sum += cost;
      EXPECT_NEAR(sum, prim(field.graph, field.tolls), 1e-6) << cities << " cities, " << width << " near";
      const City ends = std::accumulate(tree.degrees().begin(), tree.degrees().end(), 0);
      const auto edges = static_cast<City>(tree.edges().size());
      EXPECT_TRUE(ends == 2 * edges || ends == 2 * edges + 2);
      // Again, from what the first time has left.
      EXPECT_EQ(tree.find(field.tolls), length);
    }
  }
}

TEST(OneTree, JoinsPartsByBridgesOfOneLength) {
  Instance lattice;
  lattice.cities = 15 * 15;
  for (City i = 0; i < lattice.cities; ++i) lattice.x.push_back(i % 15), lattice.y.push_back(i / 15);
  const Field field(lattice);
  OneTree tree(field.graph);
  tree.find(std::vector<double>(15 * 15, 0.0));
  EXPECT_EQ(tree.edges().size(), 15U * 15U - 1U);
  for (const auto& [a, b, cost] : tree.edges()) EXPECT_EQ(cost, 1) << a << ", " << b;
}

TEST(LargestEdge, IsThatOfThePath) {
  const Taxed field(57);
  OneTree tree(field.graph);
  tree.find(field.tolls);
  const LargestEdge largest(57, tree.edges());
  std::vector<std::vector<double>> expected(57, std::vector<double>(57, infinite));
  for (City from = 0; from < 57; ++from) {
    std::vector<City> reached{from};
    expected[index(from)][index(from)] = -infinite;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const auto& [a, b, cost] : tree.edges()) {
        if (a != reached[i] && b != reached[i]) continue;
        const City to = a == reached[i] ? b : a;
        if (expected[index(from)][index(to)] < infinite) continue;
        expected[index(from)][index(to)] = std::max(expected[index(from)][index(reached[i])], cost);
        reached.push_back(to);
      }
    }
    for (City to = 0; to < 57; ++to) {
      const bool right = to == from || largest.between(from, to) == expected[index(from)][index(to)];
      EXPECT_TRUE(right) << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace rooftop::routing
