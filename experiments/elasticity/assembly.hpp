/// Entries of the matrix. Every rung that keeps a matrix fills it from here, in parallel and in any order.
#pragma once

#include <algorithm>

#include "problem.hpp"

namespace elasticity {

constexpr int block_values = components * components;

/// Sets `block` (3 x 3, by rows) to what the displacement of node `column` adds to the forces at node `row`, which is
/// one of its neighbours or itself: the sum over the elements that have both as corners. In rows and columns of held
/// displacements only the diagonal is left.
inline void fill_block(const Problem& problem, const Place& row, const Place& column, double* block) {
  std::fill_n(block, block_values, 0.0);
  const Mesh& mesh = problem.mesh;
  const auto first = [](Index a, Index b) { return std::max<Index>(std::max(a, b) - 1, 0); };
  const auto last = [](Index a, Index b, Index n) { return std::min({a, b, n - 2}); };
  for (Index k = first(row.k, column.k); k <= last(row.k, column.k, mesh.nz); ++k) {
    for (Index j = first(row.j, column.j); j <= last(row.j, column.j, mesh.ny); ++j) {
      for (Index i = first(row.i, column.i); i <= last(row.i, column.i, mesh.nx); ++i) {
        const Index a = row.i - i + 2 * (row.j - j) + 4 * (row.k - k);
        const Index b = column.i - i + 2 * (column.j - j) + 4 * (column.k - k);
        for (int r = 0; r < components; ++r) {
          const double* stiffness = problem.stiffness + (components * a + r) * values + components * b;
          for (int c = 0; c < components; ++c) block[components * r + c] += stiffness[c];
        }
      }
    }
  }
  const bool diagonal = mesh.node(row.i, row.j, row.k) == mesh.node(column.i, column.j, column.k);
  for (int r = 0; r < components; ++r) {
    for (int c = 0; c < components; ++c) {
      if ((held(row, r) || held(column, c)) && !(diagonal && r == c)) block[components * r + c] = 0;
    }
  }
}

/// Where a node lies.
inline Place place_of(const Mesh& mesh, Index node) {
  return {node % mesh.nx, node / mesh.nx % mesh.ny, node / (mesh.nx * mesh.ny)};
}

/// Calls visit(place, node) for a node and its neighbours, up to 27, in the order of their numbers.
template <class Visit>
void for_neighbours(const Mesh& mesh, const Place& at, Visit visit) {
  for (Index k = std::max<Index>(at.k - 1, 0); k <= std::min(at.k + 1, mesh.nz - 1); ++k) {
    for (Index j = std::max<Index>(at.j - 1, 0); j <= std::min(at.j + 1, mesh.ny - 1); ++j) {
      for (Index i = std::max<Index>(at.i - 1, 0); i <= std::min(at.i + 1, mesh.nx - 1); ++i) {
        visit(Place{i, j, k}, mesh.node(i, j, k));
      }
    }
  }
}

/// How many neighbours all nodes have together, themselves included: the blocks of the matrix.
inline Index block_count(const Mesh& mesh) { return (3 * mesh.nx - 2) * (3 * mesh.ny - 2) * (3 * mesh.nz - 2); }

}  // namespace elasticity
