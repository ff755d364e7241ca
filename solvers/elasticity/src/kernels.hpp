/// Products of matrices with fields, and loops on fields, for the processor at hand.
#pragma once

#include <array>
#include <cstdint>

#include "grid.hpp"

namespace rooftop::elasticity {

/// Neighbours that come after a node. A matrix that is symmetric has a block for each of them and half of one for the
/// node itself.
constexpr int later_neighbours = 13;
constexpr int diagonal_values = 6;  ///< 00, 01, 02, 11, 12, 22
constexpr int stencil_values = diagonal_values + later_neighbours * components * components;

/// Where a later neighbour lies: -1, 0 or 1 in each direction.
struct Offset {
  int dx, dy, dz;
};
constexpr std::array<Offset, later_neighbours> later{{{1, 0, 0},
                                                      {-1, 1, 0},
                                                      {0, 1, 0},
                                                      {1, 1, 0},
                                                      {-1, -1, 1},
                                                      {0, -1, 1},
                                                      {1, -1, 1},
                                                      {-1, 0, 1},
                                                      {0, 0, 1},
                                                      {1, 0, 1},
                                                      {-1, 1, 1},
                                                      {0, 1, 1},
                                                      {1, 1, 1}}};

/// Three components of a field.
template <class T>
using Pointers = std::array<T*, components>;

/// y += scale A x by the matrix rows of nodes from `begin` to before `end`, multiples of the number of lanes. Row n
/// also adds to the rows of its later neighbours.
template <class T, class Value>
struct StencilJob {
  const Value* values;  ///< perhaps in single precision; lanes x stencil_values for each vector of nodes
  std::array<std::int64_t, later_neighbours> away;
  Pointers<const T> x;
  Pointers<T> y;
  T scale;
};

/// A tridiagonal matrix: before, on and behind the diagonal, for each node of a direction.
template <class T>
using Bands = std::array<const T*, 3>;

/// The four one-dimensional matrices of a direction, of shape functions N: N N, N' N', N' N and N N'.
template <class T>
struct Direction {
  Bands<T> mass, stiff, left, right;
};

/// What takes the place of x's N' N and N N' on lines that have others on all sides, where those of the other
/// directions are alike but for their sign. With Lame's constants: half of lambda N' N - mu N N' for the first row of
/// blocks, half of mu N' N - lambda N N' for the others.
template <class T>
struct Inside {
  Bands<T> first, other;
};

/// y = A x, or y += scale A x, in planes of nodes, where the matrix is made of one-dimensional ones.
template <class T>
struct TensorJob {
  Grid grid;
  std::array<Direction<T>, 3> direction;
  Inside<T> inside;
  T lame, shear;
  Pointers<const T> x;
  Pointers<T> y;
  T scale;
  bool fresh;  ///< whether y is written without being read
};

template <class T>
struct Kernels {
  int lanes;
  /// Return x·y's part: that of the rows, with what these add elsewhere.
  double (*stencil)(const StencilJob<T, T>&, std::int64_t begin, std::int64_t end);
  double (*single_stencil)(const StencilJob<T, float>&, std::int64_t begin, std::int64_t end);
  /// Of planes from `begin` to before `end`; `scratch` has tensor_scratch(nx) values. Return x·y there.
  double (*tensor)(const TensorJob<T>&, std::int64_t begin, std::int64_t end, T* scratch);
  std::int64_t (*tensor_scratch)(std::int64_t nx);
  /// d = keep d + step w r; x += d. With keep = 0, d is not read; with `first`, x is not read.
  void (*smooth)(std::int64_t count, T keep, T step, bool first, const T* w, const T* r, T* d, T* x);
};

template <class T>
const Kernels<T>& kernels();

constexpr int elements_at_once = 8;
constexpr int corners = 8;  ///< of an element; corner a lies at x = a & 1, y = a >> 1 & 1, z = a >> 2
constexpr int corner_pairs = corners * (corners + 1) / 2;

/// Some elements, one in each place.
using EachElement = std::array<double, elements_at_once>;
struct ElementsJob {
  std::array<std::array<EachElement, components>, corners> at;
  EachElement lame, shear;
};
struct ElementsResult {
  /// Value 3 r + c of the block of a pair of corners a <= b, in the order 00, 01, ..., 07, 11, ...
  std::array<std::array<EachElement, components * components>, corner_pairs> blocks;
  EachElement least;  ///< of the Jacobian's determinant at the points of integration: above 0 unless inverted
};

/// The stiffness of some elements.
void integrate(const ElementsJob& job, ElementsResult& result);

}  // namespace rooftop::elasticity
