/// How a line is transformed: its length as a product of radices, and the roots of unity that the passes take.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftop::fft::internal {

using Index = std::int64_t;

inline constexpr int largest_radix = 16;

/// Which of so many neighbouring complex values, told apart into real and imaginary parts within blocks of 128 bits, is
/// in a lane, and the reverse.
constexpr Index value_in_lane(Index lane, Index lanes) { return lane / 2 + lane % 2 * (lanes / 2); }
constexpr Index lane_of_value(Index value, Index lanes) {
  return lanes == 1 ? 0 : 2 * (value % (lanes / 2)) + value / (lanes / 2);
}

/// Butterflies of `radix` values that lie `rest` rows apart, in each of `groups` groups of radix * rest rows.
template <class Real>
struct Pass {
  int radix;
  Index rest;
  Index groups;
  std::vector<Real> roots;   ///< [row below rest][1 … radix - 1]: real and imaginary part; none in the last pass
  std::vector<Real> circle;  ///< see circle_of()
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

/// The largest prime that passes take; sums of a larger one's values cost more than a convolution, see chirp.hpp.
inline constexpr int largest_prime = 31;
/// The largest prime whose butterfly is written out.
inline constexpr int largest_written_prime = 7;

/// Whether n is a product of primes up to the largest that passes take.
[[nodiscard]] bool transformable(Index n);

/// cos(2 pi k / radix) and sin(2 pi k / radix) for k below a radix that is a prime without a butterfly of its own; none
/// for others.
template <class Real>
[[nodiscard]] std::vector<Real> circle_of(int radix);

/// Which passes multiply by roots.
enum class Roots { in_all_but_the_last_pass, in_every_pass };

/// The radices of the passes over n values, n being transformable: odd factors one by one, then 2s together.
[[nodiscard]] std::vector<int> radices_of(Index n, Roots roots = Roots::in_all_but_the_last_pass);

/// What passes of such radices do on n values, their product.
[[nodiscard]] Operations operations_of(Index n, const std::vector<int>& radices);

/// What a transform of n values does, n being transformable.
[[nodiscard]] Operations transform_operations(Index n);

/// The plan of a line of n >= 1 values.
template <class Real>
[[nodiscard]] Line<Real> make_line(Index n);

}  // namespace rooftop::fft::internal
