/// A planned transform: its lines, and how the grid is cut.
#pragma once

#include <cstddef>

#include "line.hpp"
#include "rooftop/fft.hpp"
#include "ways.hpp"
#include "wide_line.hpp"

namespace rooftop::fft::internal {

/// The widest vector that any target has, in real numbers: 64 bytes.
template <class Real>
inline constexpr Index most_lanes = 64 / sizeof(Real);
/// A row of a tile is so much longer than its columns take, in real numbers: rows of a power of two would meet in few
/// sets of the L1 cache.
template <class Real>
inline constexpr Index row_gap = 128 / sizeof(Real);

/// Sizes of scratch count real numbers.
template <class Real>
struct Job {
  const Kernels<Real>* kernels;  ///< that are to be called
  Index nx, ny, nz;
  Line<Real> x, y, z;     ///< of one value each where the axis is not transformed
  WideLine<Real> wide_x;  ///< lines along x one by one, where they fill vectors by themselves
  Real forward_scale, backward_scale;
  Index tile_columns;  ///< columns along z that are brought into the cache together, a multiple of most_lanes
  Index pair_columns;  ///< the same, where two results are made of them
  bool stream;         ///< write columns past the caches
  Index plane_row;     ///< real numbers from row to row of a plane in scratch; 0 where planes stay where they are
  Index block_reals;   ///< of scratch, for each thread: a plane, or tiles: two, or two pairs, …
  Index buffer_reals;  ///< … the buffer for `lanes` lines, …
  Index factor_reals;  ///< … and the factors of a tile's columns, or a pair's

  /// That a tile of so many columns takes.
  [[nodiscard]] Index tile_reals(Index columns) const;
  /// Scratch of a team of so many threads.
  [[nodiscard]] Index team_reals(int threads) const { return threads * thread_reals(); }
  [[nodiscard]] Index plane() const { return nx * ny; }
  /// Whether it is one line that fills vectors by itself.
  [[nodiscard]] bool is_lone_line() const { return wide_x.n != 0 && ny * nz == 1; }
  [[nodiscard]] Index thread_reals() const { return block_reals + buffer_reals + factor_reals; }
};

/// The axes that are transformed are counted from x; y and z are not swept over where they are not. Where ny is 1, the
/// lines of all planes are taken together.
template <class Real>
[[nodiscard]] Job<Real> make_job(const Shape& shape, const Ways& ways = {});

/// From here on, results of so many bytes and more are written past the caches.
void write_past_caches_from_for_test(Index bytes);

/// Of a grid that is transformed along z alone.
template <class Real>
[[nodiscard]] Job<Real> make_columns_job(const Shape& shape, const Ways& ways = {});

/// One thread's part of `items`: from share(items, thread, threads) to share(items, thread + 1, threads).
/// One alone divides nothing, which takes as long as a pass over a short line.
constexpr Index share(Index items, Index thread, Index threads) {
  return threads == 1 ? items * thread : items * thread / threads;
}

}  // namespace rooftop::fft::internal
