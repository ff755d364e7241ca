/// Smoothed aggregation: Vanek, Mandel and Brezina, Algebraic multigrid by smoothed aggregation for second and fourth
/// order elliptic problems, 1996.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "approximate_inverse.hpp"
#include "block_matrix.hpp"

namespace rooftop::elasticity {

constexpr int rigid_motions = 6;
/// Of a node: rows are its values, columns the motions.
template <int size>
using Motions = std::vector<Block<float, size, rigid_motions>>;

/// Which aggregate each node is in, and how many there are. A node without strong neighbours is in none: one that is
/// held, above all, or one that its own diagonal is enough for.
struct Aggregates {
  static constexpr std::int32_t none = -1;

  std::vector<std::int32_t> of;
  std::int64_t count = 0;
};
/// Nodes and their strong neighbours, which are among the pattern's rows. `strength` is that of each block of the
/// pattern: of 1 on the diagonal, and less for neighbours that matter less.
Aggregates aggregate(const Pattern& pattern, const std::vector<float>& strength, float least);

/// `matrix` has nothing beside the diagonal where a displacement is held; `motions` are zero there. Without `coarser`
/// levels there is a polynomial in the matrix alone.
std::unique_ptr<ApproximateInverse> smoothed_aggregation(BlockMatrix<float, components, components> matrix,
                                                         const Motions<components>& motions, bool coarser, int threads,
                                                         const GoOn& go_on);

}  // namespace rooftop::elasticity
