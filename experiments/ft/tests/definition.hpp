/// The discrete Fourier transform as its definition reads.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace ft {

/// Along one axis after the other; sign 1 is forth, -1 back, and neither is divided.
inline std::vector<std::complex<double>> transform(std::vector<std::complex<double>> values,
                                                   const std::array<Index, 3>& sizes, int sign) {
  Index stride = 1;
  for (const Index n : sizes) {
    std::vector<std::complex<double>> result(values.size());
    for (Index i = 0; i < static_cast<Index>(values.size()); ++i) {
      const Index k = i / stride % n, first = i - k * stride;
      std::complex<double> sum = 0;
      for (Index j = 0; j < n; ++j) {
        const double turn = -2 * sign * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
        sum += values[static_cast<std::size_t>(first + j * stride)] * std::polar(1.0, turn);
      }
      result[static_cast<std::size_t>(i)] = sum;
    }
    values = std::move(result);
    stride *= n;
  }
  return values;
}

}  // namespace ft
