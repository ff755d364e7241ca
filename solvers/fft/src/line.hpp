/// How a line is transformed: its length as a product of radices, and the roots of unity that the passes take.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftop::fft::internal {

using Index = std::int64_t;

inline constexpr int largest_radix = 16;

/// Butterflies of `radix` values that lie `rest` rows apart, in each of `groups` groups of radix * rest rows.
template <class Real>
struct Pass {
  int radix;
  Index rest;
  Index groups;
  std::vector<Real> roots;  ///< [row below rest][1 … radix - 1]: real and imaginary part; none in the last pass
};

/// Lone additions and multiplications, and flops in multiply-adds, 2 for each.
struct Operations {
  double lone = 0, fused = 0;
};

/// Decimation in frequency, in place: each pass multiplies by roots what later passes transform on. After the last one,
/// whose rest is 1, group g holds the results of places[g] + k length / radix.
template <class Real>
struct Line {
  Index n = 1;
  Index length = 1;                ///< that the passes transform: n, or one in which a chirp is convolved with the line
  std::vector<Pass<Real>> passes;  ///< none for n = 1
  std::vector<Index> places;
  std::vector<Real> chirp;     ///< [n] real and imaginary part, see chirp.hpp; none where length is n
  std::vector<Real> spectrum;  ///< [length] the same, of the chirp's transform

  [[nodiscard]] bool convolved() const { return !chirp.empty(); }
  [[nodiscard]] Index buffer_rows() const { return convolved() ? 2 * length : n; }
  [[nodiscard]] Operations operations() const;  ///< for one line
};

/// Whether n is a product of 2, 3, 5 and 7.
[[nodiscard]] bool transformable(Index n);

/// What a transform of n values does, n being transformable.
[[nodiscard]] Operations transform_operations(Index n);

/// The plan of a line of n >= 1 values.
template <class Real>
[[nodiscard]] Line<Real> make_line(Index n);

}  // namespace rooftop::fft::internal
