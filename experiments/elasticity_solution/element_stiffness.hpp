/// What one element adds to the matrix.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "problem.hpp"

namespace elasticity_solution {

/// 24 x 24 values by rows; value 3 a + c of a row or column is component c of corner a.
using Stiffness = std::array<double, values * values>;
/// The same of a tetrahedron.
using TetrahedronStiffness = std::array<double, 144>;
/// Where an element's corners lie.
using Corners = std::array<std::array<double, components>, corners>;

constexpr Corners unit_cube() {
  Corners result{};
  for (std::size_t a = 0; a < corners; ++a) {
    for (std::size_t c = 0; c < components; ++c) result[a][c] = static_cast<double>(a >> c & 1U);
  }
  return result;
}

namespace detail {

/// Gradients of the corners' shape functions at one point of integration, and its share of the volume.
struct Gradients {
  Corners of{};
  double volume = 0;
};

inline Gradients gradients(const Corners& x, std::size_t point) {
  const double near = (1 - 1 / std::sqrt(3.0)) / 2;
  Corners local{};
  double m[3][3] = {};
  for (std::size_t a = 0; a < corners; ++a) {
    double factor[3] = {}, slope[3] = {};
    for (std::size_t d = 0; d < 3; ++d) {
      factor[d] = (a >> d & 1U) == (point >> d & 1U) ? 1 - near : near;
      slope[d] = (a >> d & 1U) != 0 ? 1 : -1;
    }
    local[a] = {slope[0] * factor[1] * factor[2], factor[0] * slope[1] * factor[2], factor[0] * factor[1] * slope[2]};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t d = 0; d < 3; ++d) m[r][d] += x[a][r] * local[a][d];
    }
  }
  double inverse[3][3] = {};  // times the determinant
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t d = 0; d < 3; ++d) {
      inverse[d][r] = m[(r + 1) % 3][(d + 1) % 3] * m[(r + 2) % 3][(d + 2) % 3] -
                      m[(r + 1) % 3][(d + 2) % 3] * m[(r + 2) % 3][(d + 1) % 3];
    }
  }
  const double determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
  Gradients result;
  result.volume = determinant / corners;
  for (std::size_t a = 0; a < corners; ++a) {
    for (std::size_t r = 0; r < 3; ++r) {
      result.of[a][r] =
          (local[a][0] * inverse[0][r] + local[a][1] * inverse[1][r] + local[a][2] * inverse[2][r]) / determinant;
    }
  }
  return result;
}

}  // namespace detail

/// Of an isotropic material, by 2 x 2 x 2 points of Gauss. Hughes, The Finite Element Method, 2000, chapters 2 and 3.
inline Stiffness element_stiffness(const Corners& x, double young, double poisson) {
  const double shear = young / (2 * (1 + poisson));
  const double lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  Stiffness result{};
  for (std::size_t point = 0; point < corners; ++point) {
    const detail::Gradients at = detail::gradients(x, point);
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t b = a; b < corners; ++b) {
        const auto &g = at.of[a], &h = at.of[b];
        const double both = shear * (g[0] * h[0] + g[1] * h[1] + g[2] * h[2]);
        for (std::size_t r = 0; r < components; ++r) {
          for (std::size_t c = 0; c < components; ++c) {
            const double value = lame * g[r] * h[c] + shear * g[c] * h[r] + (r == c ? both : 0);
            result[(components * a + r) * values + components * b + c] += at.volume * value;
          }
        }
      }
    }
  }
  for (std::size_t row = 0; row < values; ++row) {
    for (std::size_t column = 0; column < row / components * components; ++column)
      result[row * values + column] = result[column * values + row];
  }
  return result;
}

/// Of the tetrahedron that has these corners of an element: gradients of its linear shape functions are constant.
inline TetrahedronStiffness tetrahedron_stiffness(const Corners& x, const std::array<std::size_t, 4>& corner,
                                                  double young, double poisson) {
  const double shear = young / (2 * (1 + poisson));
  const double lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  std::array<std::array<double, 3>, 3> edge{};
  for (std::size_t e = 0; e < 3; ++e) {
    for (std::size_t r = 0; r < 3; ++r) edge[e][r] = x[corner[e + 1]][r] - x[corner[0]][r];
  }
  std::array<std::array<double, 3>, 4> gradient{};  // times six times the volume
  for (std::size_t e = 0; e < 3; ++e) {
    const auto &a = edge[(e + 1) % 3], &b = edge[(e + 2) % 3];
    for (std::size_t r = 0; r < 3; ++r) {
      gradient[e + 1][r] = a[(r + 1) % 3] * b[(r + 2) % 3] - a[(r + 2) % 3] * b[(r + 1) % 3];
      gradient[0][r] -= gradient[e + 1][r];
    }
  }
  const double six = edge[0][0] * gradient[1][0] + edge[0][1] * gradient[1][1] + edge[0][2] * gradient[1][2];
  const double weight = 1 / (6 * six);
  TetrahedronStiffness result{};
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      const auto &g = gradient[a], &h = gradient[b];
      const double both = shear * (g[0] * h[0] + g[1] * h[1] + g[2] * h[2]);
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
          const double value = lame * g[r] * h[c] + shear * g[c] * h[r] + (r == c ? both : 0);
          result[(3 * a + r) * 12 + 3 * b + c] = weight * value;
        }
      }
    }
  }
  return result;
}

/// Leaves only the diagonal of rows and columns whose displacement is held.
template <std::size_t rows>
void hold(const std::array<bool, rows>& held, std::array<double, rows * rows>& stiffness) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < rows; ++column) {
      if ((held[row] || held[column]) && row != column) stiffness[row * rows + column] = 0;
    }
  }
}

}  // namespace elasticity_solution
