/// Shortest spanning trees of a sparse graph whose cities have tolls.
#pragma once

#include <utility>
#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"

namespace rooftop::routing {

/// Edges of both ends' lists: those of city c lie from head[c] to before head[c + 1].
struct Graph {
  std::vector<City> head, to;
  std::vector<Cost> cost;
  double fixed = 0;  ///< the sum of costs of edges that every tour has
};

/// What is fixed costs so little in it that every shortest tree has it.
[[nodiscard]] Graph symmetric(const Costs& costs, const Neighbours& near);

/// A 1-tree: a spanning tree (a forest where the graph falls apart) and one more edge, at the leaf for which that costs
/// the most.
class OneTree {
 public:
  explicit OneTree(const Graph& graph);

  /// Finds the shortest one where an edge costs its cost and both ends' tolls. Returns what it costs less twice the
  /// tolls: no tour of the graph's edges is shorter.
  double find(const std::vector<double>& tolls);
  [[nodiscard]] const std::vector<City>& degrees() const { return degrees_; }

 private:
  using Offer = std::pair<double, City>;

  double add_longest_second(const std::vector<double>& tolls);

  const Graph* graph_;
  std::vector<City> parent_, degrees_;
  std::vector<double> key_;
  std::vector<char> inside_;
  std::vector<Offer> heap_;
};

/// The largest edge between two cities of the shortest spanning tree, in logarithmic time.
class LargestEdge {
 public:
  LargestEdge(const Graph& graph, const std::vector<double>& tolls);

  /// Infinite where no path leads.
  [[nodiscard]] double between(City a, City b) const;

 private:
  [[nodiscard]] City depth(City city) const;

  std::vector<City> up_;      ///< trees of Kruskal's union by rank, which are shallow
  std::vector<double> edge_;  ///< that joined a tree to the one above
};

}  // namespace rooftop::routing
