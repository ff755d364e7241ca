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

struct TreeEdge {
  City a, b;
  double cost;  ///< with both ends' tolls
};

/// A 1-tree: a spanning tree (a forest where the graph falls apart) and one more edge, at the leaf for which that costs
/// the most.
class OneTree {
 public:
  explicit OneTree(const Graph& graph);

  /// Finds the shortest one where an edge costs its cost and both ends' tolls. Returns what it costs less twice the
  /// tolls: no tour of the graph's edges is shorter.
  double find(const std::vector<double>& tolls);
  [[nodiscard]] const std::vector<City>& degrees() const { return degrees_; }
  /// Of the tree that was found, without the one more.
  [[nodiscard]] const std::vector<TreeEdge>& edges() const { return edges_; }

 private:
  /// An edge between two parts of the forest.
  struct Bridge {
    City a, b;  ///< parts
    double cost;
    std::size_t edge;
  };

  void join_parts();
  double add_longest_second(const std::vector<double>& tolls);

  const Graph* graph_;
  std::vector<std::pair<City, City>> ends_;  ///< of the graph's edges
  std::vector<Cost> cost_;
  std::vector<Bridge> bridges_;
  std::vector<std::size_t> cheapest_;  ///< bridge of each part
  std::vector<double> lowest_;         ///< what that costs
  std::vector<City> part_;             ///< that a part has gone into
  City parts_ = 0;
  std::vector<City> degrees_;
  std::vector<City> beside_;  ///< of a leaf the city that it hangs on
  std::vector<TreeEdge> edges_;
};

/// The largest edge between two cities in a tree, in logarithmic time.
class LargestEdge {
 public:
  LargestEdge(City cities, std::vector<TreeEdge> tree);

  /// Infinite where no path leads.
  [[nodiscard]] double between(City a, City b) const;

 private:
  [[nodiscard]] City depth(City city) const;

  std::vector<City> up_;      ///< trees of Kruskal's union by rank, which are shallow
  std::vector<double> edge_;  ///< that joined a tree to the one above
};

}  // namespace rooftop::routing
