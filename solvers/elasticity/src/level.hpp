/// One of multigrid's boxes, with its matrix and a polynomial that smooths errors there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "approximate_inverse.hpp"
#include "cholesky.hpp"
#include "geometry.hpp"
#include "grid.hpp"
#include "operators.hpp"

namespace rooftop::elasticity {

/// In single precision: it approximates, and moves half of the bytes.
class Level {
 public:
  /// `free`: 1 where a displacement is free, and is this process' own. The matrix has to be that of the same box.
  Level(std::unique_ptr<Operator<float>> matrix, const Field<float>& free, int threads);
  /// Looks for the largest eigenvalue, which relax() needs. Processes that share the box do so together. Where `go_on`
  /// says no, the level is of no use.
  void prepare(const std::function<bool()>& go_on);

  /// Improves x, by `steps` products with the matrix, and keeps r up to date: the load less A x. With `zero`, x is
  /// taken for zero; without `residual`, r is left behind, which saves a product.
  void relax(int steps, bool zero, bool residual);
  /// x += d and r -= A d.
  void correct();

  [[nodiscard]] const Grid& grid() const { return matrix_->grid(); }
  [[nodiscard]] const Operator<float>& matrix() const { return *matrix_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] double bytes() const;

  /// Inverse of the diagonal; 0 where a displacement is held.
  [[nodiscard]] const Field<float>& inverse() const { return inverse_; }
  [[nodiscard]] Field<float>& x() { return x_; }
  [[nodiscard]] Field<float>& r() { return r_; }
  [[nodiscard]] Field<float>& d() { return d_; }

 private:
  void smooth(float keep, float step, bool first);
  void fill_at_random();

  std::unique_ptr<Operator<float>> matrix_;
  int threads_;
  Field<float> inverse_, x_, r_, d_;
  double largest_ = 1;
};

/// r of a level becomes the residual, scaled to a norm of 1: single precision has no small numbers.
void take(const Field<double>& r, double norm, Level& level);
/// z becomes x of a level, scaled back.
void give(Level& level, double norm, Field<double>& z);

/// A polynomial in the matrix as a preconditioner. The level has to be prepared.
std::unique_ptr<ApproximateInverse> chebyshev(Level level);

/// Sums up a fine box's residual, where `free` is above 0, for nodes `of` the coarser box.
void restrict_residual(const Field<float>& residual, const Field<float>& free, int threads, const Coarsenings& by,
                       const Range& of, Field<float>& coarse);
/// Interpolates a coarse box's displacement to d of the fine one; 0 where that is held.
void interpolate(const Field<float>& coarse, const Coarsenings& by, Level& fine);

/// The matrix of a small box, factored.
class Dense {
 public:
  explicit Dense(Level& level);
  /// x = A^-1 r, both of the level; 0 where a displacement is held.
  void solve(Level& level) const;

 private:
  struct Unknown {
    int component;
    std::int64_t node;
  };
  std::vector<Unknown> unknowns_;
  std::optional<Cholesky> factor_;
};

}  // namespace rooftop::elasticity
