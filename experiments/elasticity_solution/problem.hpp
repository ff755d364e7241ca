/// Linear elasticity on a box of hexahedra, or on any tetrahedra: a mesh, a material and a load, and the displacement
/// that is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace elasticity_solution {

using Index = std::int64_t;

constexpr int corners = 8;                    ///< of an element; corner a lies at x = a & 1, y = a >> 1 & 1, z = a >> 2
constexpr int components = 3;                 ///< of a displacement
constexpr int values = corners * components;  ///< of an element

/// The nodes of a tetrahedron's corners.
using Tetrahedron = std::array<Index, 4>;

/// Nodes in each direction; x runs fastest, in nodes and in elements. Or, of a mesh that is no box, its tetrahedra:
/// then `nx` is the number of all nodes, and nothing else that follows applies but nodes() and elements().
struct Mesh {
  Index nx, ny, nz;
  std::span<const Tetrahedron> listed = {};  ///< empty: a box

  [[nodiscard]] bool is_box() const { return listed.empty(); }
  [[nodiscard]] Index nodes() const { return nx * ny * nz; }
  [[nodiscard]] Index elements() const {
    return is_box() ? (nx - 1) * (ny - 1) * (nz - 1) : static_cast<Index>(listed.size());
  }
  [[nodiscard]] Index node(Index i, Index j, Index k) const { return (k * ny + j) * nx + i; }
  [[nodiscard]] Index element(Index i, Index j, Index k) const { return (k * (ny - 1) + j) * (nx - 1) + i; }
  /// Corners of the element whose first one is (i, j, k).
  [[nodiscard]] std::array<Index, corners> corners_of(Index i, Index j, Index k) const {
    std::array<Index, corners> result{};
    for (int a = 0; a < corners; ++a)
      result[static_cast<std::size_t>(a)] = node(i + (a & 1), j + (a >> 1 & 1), k + (a >> 2));
    return result;
  }
};

enum class Kind : std::uint8_t {
  uniform,     ///< cubes with edges of 1
  graded,      ///< edges grow by a constant factor, the last is ten times the first
  distorted,   ///< inner nodes are moved by up to 0.2 of an edge
  jump,        ///< cubes with edges of 1; Young's modulus is 1000 times as large in the middle half of each direction
  plate,       ///< boxes with edges of 4, 4 and 1, clamped at x = 0
  tetrahedra,  ///< each element of `distorted` is six
  listed       ///< tetrahedra of any body, with its load and what is held
};

/// The six tetrahedra of an element, by its corners. They share the edge from the first corner to the last one, and the
/// fourth corner of each is on the side from which the first three go anticlockwise.
constexpr std::array<std::array<std::size_t, 4>, 6> tetrahedra{
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}}};

/// Whether a component of the node that lies at `place` is held: by symmetry u_x at x = 0, u_y at y = 0 and u_z at
/// z = 0; of a plate all at x = 0.
template <class Integer>
[[nodiscard]] bool holds(Kind kind, const std::array<Integer, components>& place, std::size_t component) {
  return place[kind == Kind::plate ? 0 : component] == 0;
}

/// How a run went, beside the time: shown with it.
struct Told {
  std::int64_t iterations = -1;  ///< -1: not told
  std::int64_t setup_ns = -1;    ///< before the first iteration
  double kept_bytes = -1;        ///< of matrices and vectors of all levels
  double product_bytes = 0;      ///< of the matrix that an iteration multiplies by
  double smoother_bytes = 0;     ///< of matrices that smooth on the finest level
  int sweeps = 0;                ///< times that an iteration reads those
};

/// Where ranks hold it together, each has all of the mesh, and only rank 0 has `displacement`.
struct Problem {
  Mesh mesh;
  Kind kind;
  int threads;                ///< of each rank
  double tolerance;           ///< of the residual's norm, relative to the load's
  const double* coordinates;  ///< x, y, z of each node
  const double* young;        ///< of each element
  double poisson;             ///< of all elements
  const double* load;         ///< 3 forces a node; 0 where a displacement is held
  const std::uint8_t* held;   ///< 3 a node: 1 where it is held at 0
  double* displacement;       ///< 3 a node
  Told* told;
  int rank = 0, ranks = 1;

  /// Whether every element is a cube with edges of 1.
  [[nodiscard]] bool cubes() const { return kind == Kind::uniform || kind == Kind::jump; }
  /// Whether the exact displacement is known, which is linear.
  [[nodiscard]] bool linear() const { return kind != Kind::jump && kind != Kind::plate && mesh.is_box(); }
};

}  // namespace elasticity_solution
