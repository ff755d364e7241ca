/// A long line by itself would fill one lane of a vector, and a buffer beyond the caches. Its values are the rows of a
/// grid instead, value j at (j mod nx, j / nx): it is transformed along z, turned by exp(-2 pi i x z / n), transformed
/// along x, and written with rows and columns exchanged. D. Bailey, FFTs in external or hierarchical memory (1990).
#pragma once

#include <vector>

#include "job.hpp"

namespace rooftop::fft::internal {

/// How many rows each of so many lines of n values is best cut into; 0 where they are best left whole.
template <class Real>
[[nodiscard]] Index rows_of_long_line(Index n, Index lines);

/// What the values of a grid of one long line are turned by: [z / lanes][x][real and imaginary part][lanes], rows as
/// value_in_lane has them.
template <class Real>
[[nodiscard]] std::vector<Real> make_turns(const Job<Real>& grid, int lanes);

}  // namespace rooftop::fft::internal
