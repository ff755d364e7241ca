/// How a line that fills vectors by itself is transformed: each vector holds neighbouring values of it, a row.
#pragma once

#include <vector>

#include "line.hpp"

namespace rooftop::fft::internal {

/// Real numbers that a cache line holds, so aligned.
template <class Real>
struct alignas(64) CacheLine {
  Real values[64 / sizeof(Real)];
};

/// Decimation in frequency, in place: passes over rows, whose values share no butterfly, and then a transform across
/// the lanes of each row. The row that rows[p] names gives the results p + k n / lanes.
template <class Real>
struct WideLine {
  /// Butterflies of `radix` rows that lie `rest` apart, in each of `groups` groups of radix * rest rows.
  struct Pass {
    int radix;
    Index rest;
    Index groups;
    std::vector<CacheLine<Real>> roots;  ///< [row below rest][1 … radix - 1][real and imaginary part][lanes]
  };

  Index n = 0;  ///< 0 where lines are taken several together
  std::vector<Pass> passes;
  std::vector<Index> rows;  ///< [n / lanes] by the place of the first of their results, these as they lie in lanes

  [[nodiscard]] Operations operations() const;  ///< for one line
};

/// Whether n values fill whole squares of vectors of so many lanes, and can be transformed so.
[[nodiscard]] bool fills_vectors(Index n, int lanes);

/// The plan of a line of n values; none where they do not fill vectors.
template <class Real>
[[nodiscard]] WideLine<Real> make_wide_line(Index n, int lanes);

}  // namespace rooftop::fft::internal
