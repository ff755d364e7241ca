/// How a line that fills vectors by itself is transformed: each vector holds neighbouring values of it, a row.
#pragma once

#include <vector>

#include "line.hpp"

namespace rooftop::fft::internal {

template <class Real>
struct Kernels;

/// Real numbers that a cache line holds, so aligned.
template <class Real>
struct alignas(64) CacheLine {
  Real values[64 / sizeof(Real)];
};

/// Decimation in frequency, in place: passes over rows, whose values share no butterfly, and then a transform across
/// the lanes of each row: that which gives result p gives those at p + k n / lanes too.
template <class Real>
struct WideLine {
  /// Butterflies of `radix` rows that lie `rest` apart, in each of `groups` groups of radix * rest rows.
  struct Pass {
    int radix;
    Index rest;
    Index groups;
    std::vector<CacheLine<Real>> roots;  ///< [row below rest][1 … radix - 1][real and imaginary part][lanes]
    std::vector<Real> circle;            ///< see circle_of()
  };

  Index n = 0;  ///< 0 where lines are taken several together
  std::vector<Pass> passes;
  /// By the place of the first of their results, as many at a time as vectors have lanes, these as they lie in lanes.
  /// The last ones are taken twice where that does not come out even; where there are fewer, the last one fills up.
  std::vector<Index> rows;

  [[nodiscard]] Operations operations() const;  ///< for one line
};

/// Of `count` results from `next` on, the first that vectors of so many lanes take: earlier ones again where they would
/// not be filled.
constexpr Index first_of_group(Index next, Index count, Index lanes) {
  return count < lanes || next + lanes <= count ? next : count - lanes;
}

/// Whether so many lines of n values are each best transformed by themselves in vectors of so many lanes: where each
/// fills whole squares of them, and where it fills two and the lines alone would fill none.
[[nodiscard]] bool fills_vectors(Index n, Index lines, int lanes);

/// The kernels for so many lines of n values along x: those of narrower vectors where a few lines fill these and not
/// the widest.
template <class Real>
[[nodiscard]] const Kernels<Real>& kernels_for(Index n, Index lines);

/// The plan of a line of n values, a transformable multiple of `lanes` and not `lanes` alone; of none where n is not.
template <class Real>
[[nodiscard]] WideLine<Real> make_wide_line(Index n, int lanes);

}  // namespace rooftop::fft::internal
