/// What the values of a grid that holds one line are turned by between its columns and its rows, in two short tables.
#pragma once

#include <vector>

#include "line.hpp"
#include "roots.hpp"

namespace rooftop::fft::internal {

/// How many near turns there are.
inline constexpr Index near_turns = 32;

/// exp(-2 pi i x z / (nx nz)) is the product of far[z / lanes][x / near_turns] and near[z / lanes][x % near_turns],
/// each [real and imaginary part][lanes]: both are some hundredths of all such turns, which would be read as the line
/// is.
template <class Real>
struct GridTurns {
  std::vector<Real> far, near;

  /// Real numbers of each for one group of rows.
  static constexpr Index far_reals(Index nx, Index lanes) { return (nx + near_turns - 1) / near_turns * 2 * lanes; }
  static constexpr Index near_reals(Index lanes) { return near_turns * 2 * lanes; }
};

/// Of a grid whose turns by one place are those of the table, for groups of as many rows as vectors have lanes, each
/// group's by lane.
template <class Real>
[[nodiscard]] GridTurns<Real> make_grid_turns(Index nx, Index nz, const RootTable& turns,
                                              const std::vector<std::vector<Index>>& groups);

}  // namespace rooftop::fft::internal
