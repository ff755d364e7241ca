/// A small dense matrix, factored.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rooftop::elasticity {

class Cholesky {
 public:
  /// `matrix` is symmetric and positive definite but for rounding in single precision, by rows. A row of zeros leaves
  /// its unknown at zero.
  explicit Cholesky(std::vector<double> matrix);

  [[nodiscard]] std::size_t unknowns() const { return unknowns_; }
  /// x = A^-1 b
  void solve(std::span<const float> b, std::span<float> x) const;

 private:
  std::size_t unknowns_;
  std::vector<double> factor_;  // lower triangle by rows
};

}  // namespace rooftop::elasticity
