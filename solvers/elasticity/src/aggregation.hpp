/// Smoothed aggregation: Vanek, Mandel and Brezina, Algebraic multigrid by smoothed aggregation for second and fourth
/// order elliptic problems, 1996.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "approximate_inverse.hpp"
#include "block_matrix.hpp"
#include "block_rows.hpp"
#include "clusters.hpp"
#include "rigid_motions.hpp"
#include "shape.hpp"

namespace rooftop::elasticity {

/// Of a node: rows are its values, columns the motions.
template <class Real, int size>
using Motions = std::vector<Block<Real, size, rigid_motions>>;

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

/// What a displacement of a node that no element has is in each rigid motion.
struct MotionsOfOther {
  std::int64_t number;  ///< three times the node's, and the component
  std::array<double, rigid_motions> of;
};

/// A mesh's matrix, and what its nodes may do. Copies of other processes' nodes are known, too.
struct MatrixOfNodes {
  const BlockMatrix<double, components, components>& matrix;
  std::span<const double> coordinates;  ///< of all columns
  const RigidMotions& motions;          ///< of the whole mesh
  const Field<float>& free;             ///< of all columns
  double spacing;                       ///< of nodes along an edge of an element: 0.5 where there is one in the middle
  std::span<const MotionsOfOther> others{};
  /// Whose neighbours lie beside each other, where equations make neighbours of nodes that do not; null: of `matrix`.
  const BlockMatrix<double, components, components>* unreduced = nullptr;
};

/// In which precision levels are, and what nodes are smoothed together.
struct Smoothing {
  Clusters clusters;
  Shape shape;
  bool in_double = false;
  int steps = 2;   ///< before and after a correction
  int degree = 1;  ///< of the polynomial that interpolation is smoothed by

  /// By the shape, which processes that share the mesh know all of.
  void choose();
};
/// `held`: the matrix with nothing beside the diagonal where a displacement is held.
Smoothing smoothing_of(const BlockMatrix<float, components, components>& held, const MatrixOfNodes& nodes, int threads);

/// Without `coarser` levels there is a polynomial in the matrix alone.
std::unique_ptr<ApproximateInverse> smoothed_aggregation(const MatrixOfNodes& nodes, bool coarser, int threads,
                                                         const GoOn& go_on);

}  // namespace rooftop::elasticity
