/// The lines of an array along one of its axes.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "problem.hpp"

namespace ft {

/// `count` lines of n values in each of `sets` sets: value i of line l of set s lies at s set_step + l step + i stride.
struct Lines {
  Index n, stride, count, step, sets, set_step;
};

inline Lines lines_along_x(const Problem& p) { return {p.nx, 1, p.ny * p.nz, p.nx, 1, 0}; }
inline Lines lines_along_y(const Problem& p) { return {p.ny, p.nx, p.nx, 1, p.nz, p.nx * p.ny}; }
inline Lines lines_along_z(const Problem& p) { return {p.nz, p.nx * p.ny, p.nx * p.ny, 1, 1, 0}; }

/// Calls with the place of every line's first value.
template <typename Call>
void for_each_line(const Lines& lines, const Call& call) {
  for (Index set = 0; set < lines.sets; ++set) {
    for (Index l = 0; l < lines.count; ++l) call(set * lines.set_step + l * lines.step);
  }
}

/// exp(-2 pi i k sign / n) for k from 0 to n - 1
inline std::vector<Complex> roots_of_unity(Index n, int sign) {
  std::vector<Complex> roots(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) {
    const double angle = -2 * sign * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    roots[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

}  // namespace ft
