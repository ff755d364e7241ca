/// Roots of unity, in more than double precision until they are rounded to what a plan keeps.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include "line.hpp"

namespace rooftop::fft::internal {

/// exp(-2 pi i place / n) for place >= 0
inline std::complex<long double> root_of_unity(Index place, Index n) {
  const long double turn = static_cast<long double>(place % n) / static_cast<long double>(n);
  const long double angle = 2 * std::numbers::pi_v<long double> * turn;
  return {std::cos(angle), -std::sin(angle)};
}

/// The same of many places: each is the product of two roots that are kept, some 2 sqrt(n) of them. A product takes a
/// tenth of the time of a cosine and a sine, and its rounding is not seen in what a plan keeps.
class RootTable {
 public:
  explicit RootTable(Index n) {
    while ((Index{1} << 2 * shift_) < n) ++shift_;
    const Index step = Index{1} << shift_;
    for (Index place = 0; place < step; ++place) near_.push_back(root_of_unity(place, n));
    for (Index place = 0; place < n; place += step) far_.push_back(root_of_unity(place, n));
  }

  /// For 0 <= place < n.
  [[nodiscard]] std::complex<long double> operator()(Index place) const {
    const auto& a = far_[static_cast<std::size_t>(place >> shift_)];
    const auto& b = near_[static_cast<std::size_t>(place & ((Index{1} << shift_) - 1))];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  int shift_ = 0;
  std::vector<std::complex<long double>> near_, far_;
};

template <class Real>
void append_rounded(std::complex<long double> root, std::vector<Real>& values) {
  values.push_back(static_cast<Real>(root.real()));
  values.push_back(static_cast<Real>(root.imag()));
}

}  // namespace rooftop::fft::internal
