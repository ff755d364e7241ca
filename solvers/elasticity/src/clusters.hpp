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

/// At most `most` nodes become one cluster. `strength`: of each block of the pattern, 1 on the diagonal and 0 where
/// nodes have no part in each other. `at`: where all columns' nodes are.
Clusters clusters_of(const Pattern& pattern, const std::vector<float>& strength, const std::vector<Point>& at,
                     std::int64_t most);
/// Each row for itself.
Clusters no_clusters(std::int64_t rows);

/// The inverse of a symmetric, positive semidefinite matrix of so many rows, in place, by Gauss and Jordan's
/// elimination. Rows and columns whose pivot is nothing but rounding, below `least` of what it was, become 0.
void invert(std::vector<double>& matrix, std::size_t rows, double least);

/// Inverses of what a matrix has within each cluster.
template <class Real, int size>
BlockMatrix<Real, size, size> inverse_in_clusters(const BlockMatrix<Real, size, size>& matrix, const Clusters& clusters,
                                                  int threads) {
  constexpr double least = sizeof(Real) == sizeof(float) ? 1e-6 : 1e-13;
  const std::int64_t rows = matrix.pattern.rows();
  const Transposed members = clusters.members();
  const Pattern& in = members.pattern;
  BlockMatrix<Real, size, size> result;
  result.pattern.columns = rows;
  const auto cluster_of = [&](std::int64_t row) { return std::int64_t{clusters.of[static_cast<std::size_t>(row)]}; };
  const auto count_of = [&](std::int64_t cluster) { return in.start.data()[cluster + 1] - in.start.data()[cluster]; };
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t cluster = cluster_of(row), first = in.start.data()[cluster];
    result.pattern.column.insert(result.pattern.column.end(), in.column.begin() + first,
                                 in.column.begin() + first + count_of(cluster));
    result.pattern.start.push_back(result.pattern.blocks());
  }
  result.block.resize(result.pattern.column.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
  for (std::int64_t cluster = 0; cluster < clusters.count; ++cluster) {
    const std::int32_t* nodes = in.column.data() + in.start.data()[cluster];
    const auto count = static_cast<std::size_t>(count_of(cluster)), width = size * count;
    std::vector<double> full(width * width);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::int64_t b = matrix.pattern.start.data()[nodes[i]]; b < matrix.pattern.start.data()[nodes[i] + 1]; ++b) {
        const auto* found = std::lower_bound(nodes, nodes + count, matrix.pattern.column.data()[b]);
        if (found == nodes + count || *found != matrix.pattern.column.data()[b]) continue;
        const auto j = static_cast<std::size_t>(found - nodes);
        for (std::size_t v = 0; v < size * size; ++v) {
          full[(size * i + v / size) * width + size * j + v % size] =
              static_cast<double>(matrix.block.data()[b].value[v]);
        }
      }
    }
    invert(full, width, least);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        auto& block = result.block.data()[result.pattern.start.data()[nodes[i]] + static_cast<std::int64_t>(j)];
        for (std::size_t v = 0; v < size * size; ++v) {
          block.value[v] = static_cast<Real>(full[(size * i + v / size) * width + size * j + v % size]);
        }
      }
    }
  }
  return result;
}

}  // namespace rooftop::elasticity
