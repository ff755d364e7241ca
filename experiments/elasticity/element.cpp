#include "element.hpp"

#include <cmath>

namespace elasticity {
namespace {

constexpr int strains = 6;

/// d/dx, d/dy and d/dz of corner a's shape function at a point of the unit cube.
std::array<double, components> gradient(int a, const std::array<double, components>& point) {
  std::array<double, components> factor{}, slope{}, result{};
  for (int c = 0; c < components; ++c) {
    const bool far = (a >> c & 1) != 0;
    factor[static_cast<std::size_t>(c)] =
        far ? point[static_cast<std::size_t>(c)] : 1 - point[static_cast<std::size_t>(c)];
    slope[static_cast<std::size_t>(c)] = far ? 1 : -1;
  }
  result[0] = slope[0] * factor[1] * factor[2];
  result[1] = factor[0] * slope[1] * factor[2];
  result[2] = factor[0] * factor[1] * slope[2];
  return result;
}

/// Strains (xx, yy, zz, xy, yz, zx) of a displacement by 1 of component c, whose gradient is g.
std::array<double, strains> strain(int c, const std::array<double, components>& g) {
  switch (c) {
    case 0:
      return {g[0], 0, 0, g[1], 0, g[2]};
    case 1:
      return {0, g[1], 0, g[0], g[2], 0};
    default:
      return {0, 0, g[2], 0, g[1], g[0]};
  }
}

/// Hooke's law.
std::array<double, strains> stress(const std::array<double, strains>& e, double poisson) {
  const double shear = 1 / (2 * (1 + poisson));
  const double lame = poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double trace = lame * (e[0] + e[1] + e[2]);
  return {trace + 2 * shear * e[0],
          trace + 2 * shear * e[1],
          trace + 2 * shear * e[2],
          shear * e[3],
          shear * e[4],
          shear * e[5]};
}

}  // namespace

Stiffness element_stiffness(double poisson) {
  Stiffness result{};
  const double near = (1 - 1 / std::sqrt(3.0)) / 2;
  constexpr double weight = 1.0 / 8;
  for (int at = 0; at < corners; ++at) {
    std::array<double, components> point{};
    for (int c = 0; c < components; ++c) point[static_cast<std::size_t>(c)] = (at >> c & 1) != 0 ? 1 - near : near;
    std::size_t entry = 0;
    for (int row = 0; row < values; ++row) {
      const auto e = strain(row % components, gradient(row / components, point));
      for (int column = 0; column < values; ++column) {
        const auto s = stress(strain(column % components, gradient(column / components, point)), poisson);
        double work = 0;
        for (std::size_t i = 0; i < strains; ++i) work += e[i] * s[i];
        result[entry++] += weight * work;
      }
    }
  }
  return result;
}

}  // namespace elasticity
