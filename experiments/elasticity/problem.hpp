/// Linear elasticity on a box of unit hexahedra: a load, and some steps of conjugate gradients towards its
/// displacement.
#pragma once

#include <cstdint>

namespace elasticity {

using Index = std::int64_t;

/// Nodes in each direction; x runs fastest.
struct Mesh {
  Index nx, ny, nz;

  [[nodiscard]] Index nodes() const { return nx * ny * nz; }
  [[nodiscard]] Index elements() const { return (nx - 1) * (ny - 1) * (nz - 1); }
  [[nodiscard]] Index node(Index i, Index j, Index k) const { return (k * ny + j) * nx + i; }
};

/// Where a node lies.
struct Place {
  Index i, j, k;
};

constexpr int corners = 8;                    ///< of an element; corner a lies at x = a & 1, y = a >> 1 & 1, z = a >> 2
constexpr int components = 3;                 ///< of a displacement
constexpr int values = corners * components;  ///< of an element

/// Whether symmetry holds a component of a node's displacement at zero: u_x at x = 0, u_y at y = 0, u_z at z = 0.
constexpr bool held(const Place& place, int component) {
  return (component == 0 ? place.i : component == 1 ? place.j : place.k) == 0;
}

/// How rows are given out to threads, where threads do not have the same ones in every run.
enum class Schedule { dynamic, guided, static_chunks, automatic, of_environment };

/// Where ranks hold it together, each has its share of the matrix and of vectors in memory of its own, and hands its
/// displacement over in finish(); only rank 0 has `displacement` and `residuals`.
struct Problem {
  Mesh mesh;
  int threads;              ///< of each rank
  int iterations;           ///< steps of conjugate gradients in a run, from a displacement of zero
  const double* stiffness;  ///< 24 x 24 values: of an element, whose value 3 a + c is component c of corner a
  const double* load;       ///< 3 values a node; 0 where a displacement is held
  double* displacement;     ///< 3 values a node: after the last step
  double*
      residuals;  ///< iterations + 1 values: norm of the residual after each step / norm of the load; the first is 1
  int rank = 0, ranks = 1;
  Schedule schedule = Schedule::dynamic;
  int chunk = 200;  ///< rows that a thread takes at once; where schedules are guided, at least
};

}  // namespace elasticity
