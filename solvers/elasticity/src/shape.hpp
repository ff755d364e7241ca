/// How thin a mesh is, by its nodes: what bends easily has small eigenvalues.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "block_matrix.hpp"
#include "clusters.hpp"

namespace rooftop::elasticity {

/// Processes that share a mesh put theirs together: sums of the counts, largest of the others.
struct Shape {
  double nodes = 0, clustered = 0;         ///< rows, and how many are in a cluster with others
  double clusters = 0, pairs = 0;          ///< and of clusters that are neighbours, each with itself, too
  double edges = 0, length = 0;            ///< between neighbours, and their lengths together
  double steps = 0;                        ///< from neighbour to neighbour, from one end to the other
  double stretch = 1;                      ///< edges by short ones that are in clusters with them
  std::array<double, 2 * components> box;  ///< its highest coordinates, and the lowest ones, negative

  void count(const Pattern& pattern, const Clusters& of);
  /// The largest eigenvalue by the smallest one of a body of cubes that bends, but for a factor: the fourth power of
  /// how long it is by the square of how thick, in nodes.
  [[nodiscard]] double condition() const;
  /// Whether elements are so much longer than wide, or so many of them are, that clusters are worth their while.
  [[nodiscard]] bool stretched() const { return stretch > 8 || clustered > nodes / 2; }
  /// Whether clusters lie beside each other as those of a plate or a beam do.
  [[nodiscard]] bool flat() const { return pairs < 14 * clusters; }
};

/// Of rows that are all of the mesh or a process' own; without clusters. `at`: of all columns.
Shape shape_of(const Pattern& pattern, const std::vector<Point>& at, int threads);

}  // namespace rooftop::elasticity
