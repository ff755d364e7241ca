// The two sweeps over a grid: planes, along x and y, and columns, along z.

#if defined(ROOFTOP_FFT_SWEEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_SWEEPS_INL
#undef ROOFTOP_FFT_SWEEPS_INL
#else
#define ROOFTOP_FFT_SWEEPS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "chirp-inl.hpp"
#include "job.hpp"
#include "kernels.hpp"
#include "lines-inl.hpp"
#include "transpose-inl.hpp"
#include "wide_line-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using Job = internal::Job<Real>;
using ColumnRange = internal::ColumnRange<Real>;
using PlaneRange = internal::PlaneRange<Real>;

inline constexpr Index cache_line = 64 / sizeof(Real);        ///< in real numbers
inline constexpr Index rows_ahead = 4;                        ///< that are fetched while a tile is filled
inline constexpr Index fetched_ahead = 16384 / sizeof(Real);  ///< of lines that are read one after the other

/// Fetches a cache line into the L2 cache: more are under way at once than the L1 cache can wait for.
HWY_INLINE void fetch(const Real* line) {
  constexpr int reading = 0, into_l2 = 2;
  __builtin_prefetch(line, reading, into_l2);
}

/// An address so far behind another, where there may be nothing: it is fetched from only.
HWY_INLINE std::uintptr_t behind(const Real* first, Index reals) {
  return reinterpret_cast<std::uintptr_t>(first) + sizeof(Real) * static_cast<std::uintptr_t>(reals);
}

/// Fetches what is read one line of the grid after the other, into all caches.
HWY_INLINE void fetch_lines(std::uintptr_t first, Index reals) {
  constexpr int reading = 0, into_l1 = 3;
  for (Index i = 0; i < reals; i += cache_line) {
    const std::uintptr_t line = first + sizeof(Real) * static_cast<std::uintptr_t>(i);
    __builtin_prefetch(reinterpret_cast<const Real*>(line), reading, into_l1);
  }
}

/// One row of columns into a tile, whose row is filled up to whole vectors with zeros. Of a row to come the same values
/// are fetched: the hardware follows a row, and waits anew for the next.
HWY_INLINE void load_row(const Real* HWY_RESTRICT from, Index reals, const Real* coming, Real* HWY_RESTRICT to) {
  const Tag d;
  Index i = 0;
  for (; i + cache_line <= reals; i += cache_line) {
    fetch(coming + i);
    HWY_UNROLL(8)
    for (Index j = 0; j < cache_line; j += lanes) hn::Store(hn::LoadU(d, from + i + j), d, to + i + j);
  }
  for (; i + lanes <= reals; i += lanes) hn::Store(hn::LoadU(d, from + i), d, to + i);
  for (; i < reals; ++i) to[i] = from[i];
  for (; i % (2 * lanes) != 0; ++i) to[i] = 0;
}

/// The same into rows of several tiles, multiplied for each by factors of columns (each twice, for its real and
/// imaginary part) and of the row.
template <int kResults>
HWY_INLINE void load_row_times(const Real* HWY_RESTRICT from, Index reals, const Real* coming,
                               const Real* const (&factors)[kResults], const Real (&row_factor)[kResults],
                               Real* const (&to)[kResults]) {
  const Tag d;
  Index i = 0;
  const auto one = [&](Index at) HWY_ATTR {
    const Vector values = hn::LoadU(d, from + at);
    HWY_UNROLL(2)
    for (int k = 0; k < kResults; ++k) {
      const Vector times = hn::Mul(hn::Load(d, factors[k] + at), hn::Set(d, row_factor[k]));
      hn::Store(hn::Mul(values, times), d, to[k] + at);
    }
  };
  for (; i + cache_line <= reals; i += cache_line) {
    fetch(coming + i);
    HWY_UNROLL(8)
    for (Index j = 0; j < cache_line; j += lanes) one(i + j);
  }
  for (; i + lanes <= reals; i += lanes) one(i);
  for (int k = 0; k < kResults; ++k) {
    Index j = i;
    for (; j < reals; ++j) to[k][j] = from[j] * (factors[k][j] * row_factor[k]);
    for (; j % (2 * lanes) != 0; ++j) to[k][j] = 0;
  }
}

template <bool kStream>
HWY_INLINE void store_row(const Real* HWY_RESTRICT from, Index reals, Real* HWY_RESTRICT to) {
  const Tag d;
  Index i = 0;
  for (; i + lanes <= reals; i += lanes) {
    if constexpr (kStream) {
      hn::Stream(hn::Load(d, from + i), d, to + i);
    } else {
      hn::StoreU(hn::Load(d, from + i), d, to + i);
    }
  }
  for (; i < reals; ++i) to[i] = from[i];
}

struct Scratch {
  Real *block, *buffer, *factors;

  Scratch(const Job& job, Real* scratch, int thread)
      : block(scratch + thread * job.thread_reals()),
        buffer(block + job.block_reals),
        factors(buffer + job.buffer_reals) {}
};

/// Transforms along y columns of a plane, fewer than a vector takes, from `in` to whole vectors of `out`.
template <bool kBack>
HWY_INLINE void last_columns(const Job& job, Index count, const Real* in, Real* out, Index out_row, Real* buffer) {
  const Index row = 2 * job.nx;
  for (Index y = 0; y < job.ny; ++y) load_row(in + row * y, 2 * count, in + row * y, out + out_row * y);
  const Columns<kBack> columns{out, out_row};
  transform_lines(job.y, columns, Buffer{buffer}, columns);
}

HWY_INLINE void pause_after(const Pause& pause, int thread) {
  if (pause.call != nullptr && thread == 0) pause.call(pause.with);
}

/// Transforms along x `count` lines, from `in`, where one begins `in_row` behind the other, to `out`, where they lie
/// one behind the other as they do at `coming`, from where as many are fetched.
template <bool kBack>
HWY_INLINE void rows(const Job& job, Index count, Real* in, Index in_row, Real* out, std::uintptr_t coming,
                     const Scratch& scratch) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + (job.x.convolved() ? 0 : job.nx) * row_reals};
  const Index row = 2 * job.nx;
  const std::uintptr_t row_bytes = sizeof(Real) * static_cast<std::uintptr_t>(row);
  const Real scale = kBack ? job.backward_scale : job.forward_scale;
  if (job.wide_x.n != 0) {
    for (Index y = 0; y < count; ++y, coming += row_bytes) {
      fetch_lines(coming, row);
      transform_wide_line<kBack>(job.wide_x, in + in_row * y, scale, buffer, out + row * y);
    }
    return;
  }
  for (Index y = 0; y < count; y += lanes, coming += lanes * row_bytes) {
    const Index here = std::min<Index>(lanes, count - y);
    fetch_lines(coming, row * here);
    Rows<kBack> source, target;
    for (Index l = 0; l < lanes; ++l) {
      source.line[l] = in + in_row * (y + std::min(l, here - 1));
      target.line[l] = out + row * (y + std::min(l, here - 1));
    }
    gather_lines(source, job.nx, buffer);
    transform_lines(job.x, buffer, buffer, results);
    if (scale != 1) {
      const Vector times = hn::Set(Tag(), scale);
      for (Index i = 0; i < job.nx; ++i) {
        const Value v = results.load(i);
        results.store(i, {hn::Mul(v.re, times), hn::Mul(v.im, times)});
      }
    }
    scatter_lines(results, job.nx, target);
  }
}

/// Transforms a plane along y, into scratch, and from there along x: columns of the grid are often a multiple of 2 KiB
/// long, and what is written along them meets in few sets of the L1 cache. Meanwhile the next plane is fetched.
template <bool kBack>
HWY_INLINE void copied_plane(const Job& job, Real* from, Real* to, const Scratch& scratch) {
  const Index row = 2 * job.nx, copied_row = job.plane_row;
  Real* const copy = scratch.block;
  for (Index x = 0; x < job.nx; x += lanes) {  // whole vectors: 2 KiB are several
    transform_lines(job.y, Columns<kBack>{from + 2 * x, row}, Buffer{scratch.buffer},
                    Columns<kBack>{copy + 2 * x, copied_row});
  }
  rows<kBack>(job, job.ny, copy, copied_row, to, behind(from, row * job.ny), scratch);
}

/// Transforms a plane too large for that along x, from one array to the other, and along y in place.
template <bool kBack>
HWY_INLINE void plane_in_place(const Job& job, Real* from, Real* to, const Scratch& scratch) {
  const Index row = 2 * job.nx;
  rows<kBack>(job, job.ny, from, row, to, behind(from, fetched_ahead), scratch);
  Index x = 0;
  for (; x + lanes <= job.nx; x += lanes) {
    const Columns<kBack> columns{to + 2 * x, row};
    transform_lines(job.y, columns, Buffer{scratch.buffer}, columns);
  }
  if (x == job.nx) return;
  constexpr Index stride = 2 * lanes + row_gap<Real>;
  last_columns<kBack>(job, job.nx - x, to + 2 * x, scratch.block, stride, scratch.buffer);
  for (Index y = 0; y < job.ny; ++y) {
    store_row<false>(scratch.block + stride * y, 2 * (job.nx - x), to + row * y + 2 * x);
  }
}

/// Transforms planes along x and y, from one array to the other, one by one in the L2 cache.
template <bool kBack>
HWY_INLINE void planes(const Job& job, const PlaneRange& range, const Scratch& scratch, int thread, int threads) {
  const Index row = 2 * job.nx, all = range.last - range.first;
  if (job.ny == 1) {
    const Index groups = (all + lanes - 1) / lanes;
    const Index first = range.first + share(groups, thread, threads) * lanes;
    const Index last = range.first + std::min(share(groups, thread + 1, threads) * lanes, all);
    Real* const from = range.from + row * first;
    rows<kBack>(job, last - first, from, row, range.to + row * first, behind(from, fetched_ahead), scratch);
    return pause_after(range.pause, thread);
  }
  const Index end = range.first + share(all, thread + 1, threads);
  for (Index z = range.first + share(all, thread, threads); z < end; ++z) {
    Real *const from = range.from + row * job.ny * z, *const to = range.to + row * job.ny * z;
    if (range.fill.call != nullptr) range.fill.call(range.fill.with, z, from);
    if (job.plane_row != 0) {
      copied_plane<kBack>(job, from, to, scratch);
    } else {
      plane_in_place<kBack>(job, from, to, scratch);
    }
    pause_after(range.pause, thread);
  }
}

/// Neighbouring columns of a range in scratch, once for each of their results: a row holds the values in one plane.
template <int kResults>
struct Tile {
  Real* rows[kResults];
  Index column = 0, count = 0;
};

/// The tiles of one thread's columns, and how they go in and out row by row.
template <bool kStream, int kResults>
class Tiles {
 public:
  HWY_INLINE Tiles(const Job& job, const ColumnRange& range, const Scratch& scratch)
      : job_(job),
        range_(range),
        results_{&range.result, &range.second},
        scratch_(scratch),
        columns_(kResults == 1 ? job.tile_columns : job.pair_columns) {}

  [[nodiscard]] Index stride() const { return 2 * columns_ + row_gap<Real>; }
  [[nodiscard]] Index count() const { return (range_.last - range_.first + columns_ - 1) / columns_; }

  /// An empty tile; there is place for two.
  [[nodiscard]] HWY_INLINE Tile<kResults> place(int i) const {
    Tile<kResults> tile;
    for (int k = 0; k < kResults; ++k) tile.rows[k] = scratch_.block + (i * kResults + k) * job_.tile_reals(columns_);
    return tile;
  }

  /// Gives a tile its next columns, whose rows are then to be filled.
  HWY_INLINE void begin(Tile<kResults>& tile, Index number) const {
    tile.column = number * columns_;
    tile.count = std::min(columns_, range_.last - range_.first - tile.column);
    for (int k = 0; k < kResults; ++k) {
      const Factors* const factors = results_[k]->factors;
      if (factors == nullptr) continue;
      for (Index i = 0; i < tile.count; ++i) {
        const Index c = range_.first + tile.column + i;
        const double both = factors->x[c % job_.nx] * factors->y[c / job_.nx];
        factors_of(k)[2 * i] = factors_of(k)[2 * i + 1] = static_cast<Real>(both);
      }
    }
  }

  HWY_INLINE void fill_row(const Tile<kResults>& tile, Index z) const {
    const Real* const from = range_.from[z] + 2 * tile.column;
    const Real* const coming = range_.from[std::min(z + rows_ahead, job_.nz - 1)] + 2 * tile.column;
    Real* to[kResults];
    for (int k = 0; k < kResults; ++k) to[k] = tile.rows[k] + stride() * z;
    if (range_.result.factors == nullptr) return load_row(from, 2 * tile.count, coming, to[0]);
    const Real* factors[kResults];
    Real row_factor[kResults];
    for (int k = 0; k < kResults; ++k) {
      factors[k] = factors_of(k);
      row_factor[k] = static_cast<Real>(results_[k]->factors->z[z]);
    }
    load_row_times(from, 2 * tile.count, coming, factors, row_factor, to);
  }

  HWY_INLINE void write_row(const Tile<kResults>& tile, Index z) const {
    for (int k = 0; k < kResults; ++k) {
      store_row<kStream>(tile.rows[k] + stride() * z, 2 * tile.count, results_[k]->to[z] + 2 * tile.column);
    }
  }

 private:
  [[nodiscard]] Real* factors_of(int result) const { return scratch_.factors + 2 * columns_ * result; }

  const Job& job_;
  const ColumnRange& range_;
  const internal::ColumnResult<Real>* results_[2];
  const Scratch& scratch_;
  Index columns_;
};

/// Transforms along z, a tile of neighbouring columns after the other. Between the transforms of one, the rows of the
/// other are written, and filled with what comes next: memory is read and written meanwhile.
template <bool kBack, bool kStream, int kResults>
HWY_INLINE void columns(const Job& job, const ColumnRange& range, const Scratch& scratch, int thread, int threads) {
  const Tiles<kStream, kResults> tiles(job, range, scratch);
  const Index first = share(tiles.count(), thread, threads), end = share(tiles.count(), thread + 1, threads);
  if (first == end) return;
  Tile<kResults> here = tiles.place(0), other = tiles.place(1);
  tiles.begin(here, first);
  for (Index z = 0; z < job.nz; ++z) tiles.fill_row(here, z);
  for (Index i = first; i < end; ++i) {
    const bool any_before = i > first, any_behind = i + 1 < end;
    const Tile<kResults> before = other;
    if (any_behind) tiles.begin(other, i + 1);
    const Index groups = (here.count + lanes - 1) / lanes;
    for (Index group = 0; group < kResults * groups; ++group) {
      const Index rows_end = share(job.nz, group + 1, kResults * groups);
      for (Index z = share(job.nz, group, kResults * groups); z < rows_end; ++z) {
        if (any_before) tiles.write_row(before, z);
        if (any_behind) tiles.fill_row(other, z);
      }
      const Columns<kBack> some{here.rows[group / groups] + 2 * lanes * (group % groups), tiles.stride()};
      transform_lines(job.z, some, Buffer{scratch.buffer}, some);
    }
    std::swap(here, other);
    pause_after(range.pause, thread);
  }
  for (Index z = 0; z < job.nz; ++z) tiles.write_row(other, z);
  if (kStream) hwy::FlushStream();
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
