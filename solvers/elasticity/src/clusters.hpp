/// Nodes that hang together so much more than with others that they are smoothed together: a column of nodes through a
/// thin plate, or the nodes of a sliver.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "block_matrix.hpp"
#include "grid.hpp"

namespace rooftop::elasticity {

using Point = std::array<double, components>;

struct Clusters {
  std::vector<std::int32_t> of;  ///< of each row of the matrix: a row of no other is in a cluster of its own
  std::int64_t count = 0;
  double least_distance = 1;  ///< between two nodes of a cluster, by the longer edges there; 0 in a sliver

  [[nodiscard]] bool any() const { return count < static_cast<std::int64_t>(of.size()); }
  /// Rows of each cluster, in ascending order.
  [[nodiscard]] Transposed members() const;
};

/// What clusters are made by.
struct Clustering {
  std::int64_t most;            ///< nodes of a cluster
  std::int64_t most_of_layers;  ///< where edges are as short as those between the layers of a boundary layer
  double spacing = 1;           ///< of nodes along an edge of an element: 0.5 where there is one in the middle
};
/// `strength`: of each block of the pattern, 1 on the diagonal and 0 where nodes have no part in each other. `at`:
/// where all columns' nodes are.
Clusters clusters_of(const Pattern& pattern, const std::vector<float>& strength, const std::vector<Point>& at,
                     const Clustering& how, int threads);
/// Each row for itself.
Clusters no_clusters(std::int64_t rows);

/// The inverse of a symmetric, positive semidefinite matrix of so many rows, in place, by Gauss and Jordan's
/// elimination. Rows and columns whose pivot is nothing but rounding, below `least` of what it was, become 0.
void invert(std::vector<double>& matrix, std::size_t rows, double least);

}  // namespace rooftop::elasticity
