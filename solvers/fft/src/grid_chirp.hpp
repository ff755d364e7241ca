/// Bluestein's algorithm, see chirp.hpp, for one line that is too long for a buffer: it is convolved in a grid, as
/// long_line.hpp has it, whose values stay where they are. Three sweeps do it: columns of the line times the chirp,
/// zeros behind it; rows forth, times the chirp's spectrum, and back; columns, of which the line is kept.
#pragma once

#include <vector>

#include "grid_turns.hpp"
#include "line.hpp"

namespace rooftop::fft::internal {

/// What a line of n values is multiplied by in a grid of nx times nz.
template <class Real>
struct GridChirp {
  Index n = 0, nx = 0, nz = 0;
  std::vector<Real> chirp;     ///< [n] real and imaginary part, those of chirp.hpp
  std::vector<Real> spectrum;  ///< of the chirp, [z / lanes][x][real and imaginary part][lanes], divided by nx nz
  GridTurns<Real> turns;
};

/// Columns and rows, both products of 2, 3, 5 and 7.
struct GridLengths {
  Index nx, nz;
};

/// Of a grid that holds 2 n - 1 values and whose transform takes the fewest operations.
[[nodiscard]] GridLengths convolution_grid(Index n);

/// The chirp of n values, made by so many threads, for vectors of so many lanes.
template <class Real>
[[nodiscard]] GridChirp<Real> make_grid_chirp(Index n, int lanes, int threads);

}  // namespace rooftop::fft::internal
