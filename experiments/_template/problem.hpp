/// Dot product of two vectors of doubles.
#pragma once

#include <cstddef>

namespace dot {

struct Problem {
  std::size_t n;
  int threads;
  const double* x;  ///< n values, 64-byte aligned
  const double* y;  ///< n values, 64-byte aligned
  double* result;   ///< one value: sum over i of x[i] * y[i]
};

}  // namespace dot
