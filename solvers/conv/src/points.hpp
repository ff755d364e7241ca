/// Interpolation points of the Winograd transforms and the filter matrices that belong to them.
#pragma once

#include <array>
#include <cstdint>

namespace rooftop::conv::internal {

/// p: points, each taken with both signs; s: their squares. Zero and infinity are always points too.
/// scales: of the rows of G for each pair. The output transform divides by them, which leaves it fewer operations.
struct F2 {
  static constexpr std::array<double, 1> points{1.0}, scales{1.0};
};
struct F4 {
  static constexpr double s1 = 0.5, s2 = 2.0;
  static constexpr double p1 = 0.70710678118654752440, p2 = 1.41421356237309504880;
  static constexpr std::array<double, 2> points{p1, p2}, scales{s1, p2};
};
struct F6 {
  static constexpr double p1 = 0.5, p2 = 1.0, p3 = 2.0;
  static constexpr double s1 = p1 * p1, s2 = p2 * p2, s3 = p3 * p3;
  static constexpr std::array<double, 3> points{p1, p2, p3}, scales{1.0, 1.0, 1.0};
};

/// G of F(m,3): row i is (1, p, p^2) * scale / product of (p - q) over the other finite points q; the last row is
/// (0, 0, 1).
template <class F>
constexpr auto filter_matrix() {
  constexpr int pairs = static_cast<int>(F::points.size());
  constexpr int a = 2 * pairs + 2;
  std::array<double, a - 1> point{};
  for (int i = 0; i < pairs; ++i) {
    point[1 + 2 * i] = F::points[i];
    point[2 + 2 * i] = -F::points[i];
  }
  std::array<std::array<double, 3>, a> g{};
  for (int i = 0; i < a - 1; ++i) {
    double product = 1;
    for (int j = 0; j < a - 1; ++j) product *= j == i ? 1 : point[i] - point[j];
    const double factor = (i == 0 ? 1 : F::scales[(i - 1) / 2]) / product;
    g[i] = {factor, factor * point[i], factor * point[i] * point[i]};
  }
  g[a - 1] = {0, 0, 1};
  return g;
}

/// F(E) on some of the points of F(M), for the last tiles of an image that M does not divide. It takes the transformed
/// filter of F(M) at those points as it is: what the products over the points left out would have contributed to G is
/// made up for by `factors`, of the transformed input, the first for the point 0 and then one for each pair.
template <class F, std::size_t... kept>
struct Subset {
  static constexpr int pairs = sizeof...(kept);
  static constexpr std::array<double, pairs> points{F::points[kept]...}, scales{F::scales[kept]...};
  /// Rows of F(M)'s transforms that are those of this one.
  static constexpr std::array<int, 2 * pairs + 2> rows = [] {
    std::array<int, 2 * pairs + 2> result{};
    int next = 1;
    for (const std::size_t pair : {kept...}) {
      result[next++] = 1 + 2 * static_cast<int>(pair);
      result[next++] = 2 + 2 * static_cast<int>(pair);
    }
    result[next] = 2 * static_cast<int>(F::points.size()) + 1;
    return result;
  }();
  static constexpr std::array<double, pairs + 1> factors = [] {
    std::array<double, pairs + 1> result{};
    for (int i = 0; i <= pairs; ++i) {
      const double p = i == 0 ? 0 : points[i - 1];
      result[i] = 1;
      for (std::size_t j = 0; j < F::points.size(); ++j) {
        const bool left_out = ((j != kept) && ...);
        if (left_out) result[i] *= p * p - F::points[j] * F::points[j];
      }
    }
    return result;
  }();
};

template <int M, int E>
struct EdgeOf;
template <>
struct EdgeOf<4, 2> : Subset<F4, 0> {};
template <>
struct EdgeOf<6, 2> : Subset<F6, 1> {};
template <>
struct EdgeOf<6, 4> : Subset<F6, 0, 2> {};

/// Row `row` of the transforms of F(E) as tiles of F(M) number them.
template <int M, int E>
constexpr int row_of(int row) {
  if constexpr (E == M) {
    return row;
  } else {
    return EdgeOf<M, E>::rows[row];
  }
}

/// Bit i: F(E) has row i of the transforms of F(M).
template <int M, int E>
constexpr std::uint32_t rows_mask() {
  std::uint32_t mask = 0;
  for (int row = 0; row < E + 2; ++row) mask |= 1U << row_of<M, E>(row);
  return mask;
}

}  // namespace rooftop::conv::internal
