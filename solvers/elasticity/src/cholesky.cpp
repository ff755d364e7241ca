#include "cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rooftop::elasticity {

Cholesky::Cholesky(std::vector<double> matrix)
    : unknowns_(static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))))),
      factor_(std::move(matrix)) {
  const std::size_t n = unknowns_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = factor_[i * n + j];
      const double diagonal = sum;
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      if (i != j) {
        const double pivot = factor_[j * n + j];
        factor_[i * n + j] = pivot > 0 ? sum / pivot : 0;
      } else {
        // What is singular but for rounding may come out below zero.
        factor_[i * n + i] = diagonal > 0 ? std::sqrt(std::max(sum, 1e-7 * diagonal)) : 0;
      }
    }
  }
}

void Cholesky::solve(std::span<const float> b, std::span<float> x) const {
  const std::size_t n = unknowns_;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = static_cast<double>(b[i]);
    for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * n + k] * values[k];
    const double pivot = factor_[i * n + i];
    values[i] = pivot > 0 ? sum / pivot : 0;
  }
  for (std::size_t i = n; i-- > 0;) {
    const double pivot = factor_[i * n + i];
    values[i] = pivot > 0 ? values[i] / pivot : 0;
    for (std::size_t k = 0; k < i; ++k) values[k] -= factor_[i * n + k] * values[i];
    x[i] = static_cast<float>(values[i]);
  }
}

}  // namespace rooftop::elasticity
