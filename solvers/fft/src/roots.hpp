/// Roots of unity, in more than double precision until they are rounded to what a plan keeps.
#pragma once

#include <cmath>
#include <complex>
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

template <class Real>
void append_rounded(std::complex<long double> root, std::vector<Real>& values) {
  values.push_back(static_cast<Real>(root.real()));
  values.push_back(static_cast<Real>(root.imag()));
}

}  // namespace rooftop::fft::internal
