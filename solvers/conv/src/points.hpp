/// Interpolation points of the Winograd transforms and the filter matrices that belong to them.
#pragma once

#include <array>

namespace rooftop::conv::internal {

/// p: points, each taken with both signs; s: their squares. Zero and infinity are always points too.
struct F2 {
  static constexpr std::array<double, 1> points{1.0};
};
struct F4 {
  static constexpr double s1 = 0.5, s2 = 2.0;
  static constexpr double p1 = 0.70710678118654752440, p2 = 1.41421356237309504880;
  static constexpr std::array<double, 2> points{p1, p2};
};
struct F6 {
  static constexpr double p1 = 0.5, p2 = 1.0, p3 = 2.0;
  static constexpr double s1 = p1 * p1, s2 = p2 * p2, s3 = p3 * p3;
  static constexpr std::array<double, 3> points{p1, p2, p3};
};

/// G of F(m,3): row i is (1, p, p^2) / product of (p - q) over the other finite points q; the last row is (0, 0, 1).
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
    g[i] = {1 / product, point[i] / product, point[i] * point[i] / product};
  }
  g[a - 1] = {0, 0, 1};
  return g;
}

}  // namespace rooftop::conv::internal
