// Shape functions: Zienkiewicz, Taylor and Zhu, "The Finite Element Method: Its Basis and Fundamentals", chapter 6;
// incompatible modes: Wilson, Taylor, Doherty and Ghaboussi 1973.
#include "reference_element.hpp"

#include <cmath>
#include <utility>

namespace rooftop::elasticity {
namespace {

/// A number and its derivatives along an element's own coordinates.
struct Dual {
  double value = 0;
  std::array<double, components> slope{};

  friend Dual operator+(Dual a, const Dual& b) {
    a.value += b.value;
    for (std::size_t c = 0; c < components; ++c) a.slope[c] += b.slope[c];
    return a;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result{a.value * b.value, {}};
    for (std::size_t c = 0; c < components; ++c) result.slope[c] = a.slope[c] * b.value + a.value * b.slope[c];
    return result;
  }
  friend Dual operator*(double a, const Dual& b) { return Dual{a, {}} * b; }
  friend Dual operator+(double a, const Dual& b) { return Dual{a, {}} + b; }
  friend Dual operator-(double a, const Dual& b) { return a + -1 * b; }
};

using Point = std::array<double, components>;
using Place = std::array<Dual, components>;
using Edge = std::pair<std::size_t, std::size_t>;
using Functions = std::vector<Dual>;
using Weighted = std::vector<std::pair<Point, double>>;

Place place_of(const Point& at) {
  Place result;
  for (std::size_t c = 0; c < components; ++c) {
    result[c].value = at[c];
    result[c].slope[c] = 1;
  }
  return result;
}

// Nodes in the middle of edges come after the corners, in these orders.
constexpr std::array<Edge, 6> edges_of_tetrahedron{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<Edge, 3> edges_of_triangle{{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<Edge, 12> edges_of_hexahedron{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
constexpr std::array<Point, 8> corners_of_hexahedron{
    {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};

Functions tetrahedron(const Place& x, bool quadratic) {
  const Functions corner{1 - (x[0] + x[1] + x[2]), x[0], x[1], x[2]};
  if (!quadratic) return corner;
  Functions result;
  for (const Dual& one : corner) result.push_back(one * (-1 + 2 * one));
  for (const auto& [a, b] : edges_of_tetrahedron) result.push_back(4 * (corner[a] * corner[b]));
  return result;
}

Functions wedge(const Place& x, bool quadratic) {
  const std::array<Dual, 3> corner{1 - (x[0] + x[1]), x[0], x[1]};
  Functions result;
  for (const double side : {-1., 1.}) {
    const Dual along = side * x[2];
    for (const Dual& one : corner) {
      result.push_back(0.5 * (one * (1 + along)));
      if (quadratic) result.back() = result.back() * (-2 + (2 * one + along));
    }
  }
  if (!quadratic) return result;
  for (const double side : {-1., 1.}) {
    for (const auto& [a, b] : edges_of_triangle) result.push_back(2 * (corner[a] * corner[b] * (1 + side * x[2])));
  }
  for (const Dual& one : corner) result.push_back(one * (1 - x[2] * x[2]));
  return result;
}

Functions hexahedron(const Place& x, bool quadratic) {
  Functions result;
  for (const Point& sign : corners_of_hexahedron) {
    Dual product{0.125, {}}, sum{-2, {}};
    for (std::size_t c = 0; c < components; ++c) {
      product = product * (1 + sign[c] * x[c]);
      sum = sum + sign[c] * x[c];
    }
    result.push_back(quadratic ? product * sum : product);
  }
  if (!quadratic) return result;
  for (const auto& [a, b] : edges_of_hexahedron) {
    Dual product{0.25, {}};
    for (std::size_t c = 0; c < components; ++c) {
      const double sign = (corners_of_hexahedron[a][c] + corners_of_hexahedron[b][c]) / 2;
      product = product * (sign == 0 ? 1 - x[c] * x[c] : 1 + sign * x[c]);
    }
    result.push_back(product);
  }
  return result;
}

Functions functions_of(ElementKind kind, const Point& at) {
  const Place x = place_of(at);
  switch (kind) {
    case ElementKind::tetrahedron:
      return tetrahedron(x, false);
    case ElementKind::tetrahedron10:
      return tetrahedron(x, true);
    case ElementKind::wedge:
      return wedge(x, false);
    case ElementKind::wedge15:
      return wedge(x, true);
    case ElementKind::hexahedron:
    case ElementKind::hexahedron_incompatible:
      return hexahedron(x, false);
    case ElementKind::hexahedron20:
    case ElementKind::hexahedron20_reduced:
      return hexahedron(x, true);
  }
  throw_for_unknown(kind);
}

/// Gauss's points and weights in [-1, 1].
std::vector<std::pair<double, double>> on_line(int count) {
  if (count == 2) return {{-std::sqrt(1. / 3), 1}, {std::sqrt(1. / 3), 1}};
  return {{-std::sqrt(0.6), 5. / 9}, {0, 8. / 9}, {std::sqrt(0.6), 5. / 9}};
}

Weighted in_cube(int count) {
  Weighted result;
  for (const auto& [z, of_z] : on_line(count)) {
    for (const auto& [y, of_y] : on_line(count)) {
      for (const auto& [x, of_x] : on_line(count)) result.push_back({{x, y, z}, of_x * of_y * of_z});
    }
  }
  return result;
}

Weighted in_wedge(const std::vector<std::pair<double, double>>& triangle, int count) {
  Weighted result;
  for (const auto& [z, of_z] : on_line(count)) {
    for (const auto& [x, y] : triangle) result.push_back({{x, y, z}, of_z / 2 / static_cast<double>(triangle.size())});
  }
  return result;
}

Weighted points_of(ElementKind kind) {
  const double near = (5 - std::sqrt(5.)) / 20, far = 1 - 3 * near;
  switch (kind) {
    case ElementKind::tetrahedron:
      return {{{0.25, 0.25, 0.25}, 1. / 6}};
    case ElementKind::tetrahedron10:
      return {{{near, near, near}, 1. / 24},
              {{far, near, near}, 1. / 24},
              {{near, far, near}, 1. / 24},
              {{near, near, far}, 1. / 24}};
    case ElementKind::wedge:
      return in_wedge({{1. / 3, 1. / 3}}, 2);
    case ElementKind::wedge15:
      return in_wedge({{1. / 6, 1. / 6}, {2. / 3, 1. / 6}, {1. / 6, 2. / 3}}, 3);
    case ElementKind::hexahedron:
    case ElementKind::hexahedron_incompatible:
    case ElementKind::hexahedron20_reduced:
      return in_cube(2);
    case ElementKind::hexahedron20:
      return in_cube(3);
  }
  throw_for_unknown(kind);
}

Slopes slopes_of(const Functions& functions) {
  Slopes result;
  for (const Dual& one : functions) result.push_back(one.slope);
  return result;
}

ReferenceElement made(ElementKind kind) {
  ReferenceElement result;
  for (const auto& [at, weight] : points_of(kind)) {
    ReferencePoint& point = result.points.emplace_back(ReferencePoint{weight, slopes_of(functions_of(kind, at)), {}});
    if (kind != ElementKind::hexahedron_incompatible) continue;
    for (const Dual& x : place_of(at)) point.modes.push_back((x * x).slope);
  }
  if (kind == ElementKind::hexahedron_incompatible) result.centre = slopes_of(functions_of(kind, {0, 0, 0}));
  return result;
}

}  // namespace

const ReferenceElement& reference_element(ElementKind kind) {
  static const std::array<ReferenceElement, element_kinds> all = [] {
    std::array<ReferenceElement, element_kinds> each;
    for (std::size_t k = 0; k < each.size(); ++k) each[k] = made(static_cast<ElementKind>(k));
    return each;
  }();
  (void)nodes_of(kind);
  return all[static_cast<std::size_t>(kind)];
}

std::size_t points_of_integration(ElementKind kind) { return reference_element(kind).points.size(); }

}  // namespace rooftop::elasticity
