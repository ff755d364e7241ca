/// The largest eigenvalue of a preconditioned matrix, from steps of conjugate gradients with it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace rooftop::elasticity {

/// Lanczos' method: the coefficients of the steps are a tridiagonal matrix, whose eigenvalues are near the ends of the
/// spectrum soon.
class Lanczos {
 public:
  /// Takes r·M r of a step; returns beta, by which the direction before is kept.
  double beta(double rz) {
    beta_ = diagonal_.empty() ? 0 : rz / rz_;
    rz_ = rz;
    return beta_;
  }
  /// Takes d·A d of the step's direction; returns alpha, or 0 where there is nothing left.
  double alpha(double energy) {
    if (!(energy > 0) || !(rz_ > 0)) return 0;
    if (!diagonal_.empty()) beside_.push_back(std::sqrt(beta_) / alpha_);
    const double before = diagonal_.empty() ? 0 : beta_ / alpha_;
    alpha_ = rz_ / energy;
    diagonal_.push_back(1 / alpha_ + before);
    return alpha_;
  }
  /// With a margin for what few steps miss; 1 where there were none.
  [[nodiscard]] double largest() const;

 private:
  std::vector<double> diagonal_, beside_;
  double rz_ = 0, alpha_ = 0, beta_ = 0;
};

constexpr int lanczos_steps = 12;

}  // namespace rooftop::elasticity
