/// The matrix of a box, of which products with fields are wanted.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "geometry.hpp"
#include "grid.hpp"
#include "kernels.hpp"

namespace rooftop::elasticity {

/// Symmetric and positive semidefinite: what holds the body is not in it. The box may be a part of one that several
/// processes share, with the nodes beside it that others have: results there mean nothing.
template <class T>
class Operator {
 public:
  virtual ~Operator() = default;
  /// y = scale A x, and returns x·A x; or with `add` y += scale A x, and what is returned has no meaning where
  /// processes share the box.
  virtual double multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const = 0;
  /// The diagonal's blocks: 00, 01, 02, 11, 12 and 22 of a node.
  [[nodiscard]] virtual std::array<T, diagonal_values> diagonal(std::int64_t node) const = 0;
  [[nodiscard]] virtual const Grid& grid() const = 0;
  [[nodiscard]] virtual double bytes() const = 0;

  [[nodiscard]] virtual Place place() const { return {grid(), {0, 0, 0}}; }
  /// The sum, and the largest, of what all processes that share the box give; the same for each of them.
  [[nodiscard]] virtual double sum_of_all(double own) const { return own; }
  [[nodiscard]] virtual int largest_of_all(int own) const { return own; }
};

/// Values of the matrix, half of them, laid out for vectors of T; in single precision where half of the bytes count for
/// more than half of the digits.
template <class T, class Value = T>
class StencilOperator : public Operator<T> {
 public:
  /// Zero. Where `go_on` says no, some of it is left as it is: memory takes seconds to be touched first.
  StencilOperator(
      const Grid& grid, int threads, const std::function<bool()>& go_on = [] { return true; });
  /// The same in another precision.
  template <class T2, class Value2>
  StencilOperator(const StencilOperator<T2, Value2>& other, int threads);

  double multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const override;
  [[nodiscard]] std::array<T, diagonal_values> diagonal(std::int64_t node) const override;
  [[nodiscard]] const Grid& grid() const override { return grid_; }
  [[nodiscard]] double bytes() const override { return values_.bytes(); }

  /// A node's first value; the next ones follow in steps of lanes().
  [[nodiscard]] Value* row(std::int64_t node) const {
    return values_.data() + node / lanes_ * lanes_ * stencil_values + node % lanes_;
  }
  [[nodiscard]] std::int64_t lanes() const { return lanes_; }

 private:
  Grid grid_;
  int threads_;
  std::int64_t lanes_;
  Array<Value> values_;
};

/// No matrix: one-dimensional ones of each direction.
template <class T>
class TensorOperator : public Operator<T> {
 public:
  TensorOperator(const AlignedBox& box, int threads);

  double multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const override;
  /// The same in some planes of y, by one thread of a team of at most threads(), of which each has other planes.
  double multiply_planes(const Field<T>& x, Field<T>& y, T scale, bool add, Share planes) const;
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::array<T, diagonal_values> diagonal(std::int64_t node) const override;
  [[nodiscard]] const Grid& grid() const override { return grid_; }
  [[nodiscard]] double bytes() const override;

 private:
  Grid grid_;
  int threads_;
  T lame_, shear_;
  std::array<std::vector<T>, 3> bands_;
  std::array<Direction<T>, 3> direction_;
  std::vector<T> mixed_;  // what inside_ points to
  Inside<T> inside_;
  mutable std::vector<Array<T>> scratch_;  // of each thread
};

/// The matrix of a box of elements. `go_on` is asked now and then, from any thread; where it says no, the matrix stays
/// unfinished.
struct Assembled {
  StencilOperator<double> matrix;
  std::int64_t inverted;  ///< the first element that is, or `none`

  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
};
Assembled assembled(const FreeBox& box, int threads, const std::function<bool()>& go_on);
/// Throws InvalidInput unless the element is `none`.
void require_none_inverted(std::int64_t element);
/// The same, where none may be inverted. Throws InvalidInput.
StencilOperator<double> assemble(const FreeBox& box, int threads, const std::function<bool()>& go_on);

}  // namespace rooftop::elasticity
