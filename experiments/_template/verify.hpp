/// The reference that results are held against, and how far from it an algorithm may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace dot {

/// Exact to far below a double's rounding, by error-free products and compensated sums (Ogita, Rump, Oishi 2005: Dot2).
struct Reference {
  double dot;        ///< sum over i of x[i] * y[i]
  double magnitude;  ///< sum over i of |x[i] * y[i]|: what rounding errors scale with
};
[[nodiscard]] Reference reference(const double* x, const double* y, std::size_t n);

/// Largest |result - dot| / magnitude that rounding explains. Throws std::invalid_argument for an unknown algorithm.
[[nodiscard]] double tolerance(std::string_view algorithm, std::size_t n);

}  // namespace dot
