/// A planned transform: its lines, and how the grid is cut.
#pragma once

#include <cstddef>

#include "line.hpp"
#include "rooftop/fft.hpp"

namespace rooftop::fft::internal {

/// The widest vector that any target has, in doubles.
inline constexpr Index most_lanes = 8;
/// A row of a tile is so much longer than its columns take, in doubles: rows of a power of two would meet in few sets
/// of the L1 cache.
inline constexpr Index row_gap = 16;

struct Job {
  Index nx, ny, nz;
  Line x, y, z;  ///< of one value each where the axis is not transformed
  double forward_scale, backward_scale;
  Index tile_columns;    ///< columns along z that are brought into the cache together, a multiple of most_lanes
  bool stream;           ///< write columns past the caches
  Index tile_doubles;    ///< of scratch, for each thread: the tile, …
  Index buffer_doubles;  ///< … the buffer for `lanes` lines, …
  Index factor_doubles;  ///< … and the factors of a tile's columns

  /// Scratch of a team of so many threads.
  [[nodiscard]] Index team_doubles(int threads) const { return threads * thread_doubles(); }
  [[nodiscard]] Index plane() const { return nx * ny; }
  [[nodiscard]] Index thread_doubles() const { return tile_doubles + buffer_doubles + factor_doubles; }
};

/// The axes that are transformed are counted from x; y and z are not swept over where they are not. Where ny is 1, the
/// lines of all planes are taken together.
[[nodiscard]] Job make_job(const Shape& shape, const Options& options = {});

/// One thread's part of `items`: from share(items, thread, threads) to share(items, thread + 1, threads).
constexpr Index share(Index items, Index thread, Index threads) { return items * thread / threads; }

}  // namespace rooftop::fft::internal
