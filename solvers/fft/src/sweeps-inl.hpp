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

inline constexpr Index cache_line = 64 / sizeof(Real);  ///< in real numbers
inline constexpr Index rows_ahead = 4;                  ///< that are fetched while a tile is filled

/// Fetches a cache line into the L2 cache: more are under way at once than the L1 cache can wait for.
HWY_INLINE void fetch(const Real* line) {
  constexpr int reading = 0, into_l2 = 2;
  __builtin_prefetch(line, reading, into_l2);
}

/// Fetches what lies so far behind lines that are about to be read one after the other, which may be nothing.
HWY_INLINE void fetch_ahead(const Real* from, Index reals) {
  constexpr std::uintptr_t distance = 16384;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(from) + distance;
  for (Index i = 0; i < reals; i += cache_line) {
    fetch(reinterpret_cast<const Real*>(first + sizeof(Real) * static_cast<std::uintptr_t>(i)));
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

/// The same, multiplied by factors of columns (each twice, for its real and imaginary part) and of the row.
HWY_INLINE void load_row_times(const Real* HWY_RESTRICT from, Index reals, const Real* coming,
                               const Real* HWY_RESTRICT factors, Real row_factor, Real* HWY_RESTRICT to) {
  const Tag d;
  const Vector along = hn::Set(d, row_factor);
  Index i = 0;
  const auto one = [&](Index at) HWY_ATTR {
    hn::Store(hn::Mul(hn::LoadU(d, from + at), hn::Mul(hn::Load(d, factors + at), along)), d, to + at);
  };
  for (; i + cache_line <= reals; i += cache_line) {
    fetch(coming + i);
    HWY_UNROLL(8)
    for (Index j = 0; j < cache_line; j += lanes) one(i + j);
  }
  for (; i + lanes <= reals; i += lanes) one(i);
  for (; i < reals; ++i) to[i] = from[i] * (factors[i] * row_factor);
  for (; i % (2 * lanes) != 0; ++i) to[i] = 0;
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
  Real *tile, *other_tile, *buffer, *factors;

  Scratch(const Job& job, Real* scratch, int thread)
      : tile(scratch + thread * job.thread_reals()),
        other_tile(tile + job.tile_reals),
        buffer(other_tile + (job.stream ? job.tile_reals : 0)),
        factors(buffer + job.buffer_reals) {}
};

/// Transforms along y a plane's last columns, fewer than a vector takes.
template <bool kBack>
HWY_INLINE void last_columns(const Job& job, Index count, Real* plane, const Scratch& scratch) {
  constexpr Index stride = 2 * lanes + row_gap<Real>;
  for (Index y = 0; y < job.ny; ++y) {
    const Real* const row = plane + 2 * job.nx * y;
    load_row(row, 2 * count, row, scratch.tile + stride * y);
  }
  const Columns<kBack> columns{scratch.tile, stride};
  transform_lines(job.y, columns, Buffer{scratch.buffer}, columns);
  for (Index y = 0; y < job.ny; ++y) store_row<false>(scratch.tile + stride * y, 2 * count, plane + 2 * job.nx * y);
}

HWY_INLINE void pause_after(const Pause& pause, int thread) {
  if (pause.call != nullptr && thread == 0) pause.call(pause.with);
}

/// Transforms along x `count` lines that lie one behind the other, from `in` to `out`.
template <bool kBack>
HWY_INLINE void rows(const Job& job, Index count, Real* in, Real* out, const Scratch& scratch) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + (job.x.convolved() ? 0 : job.nx) * row_reals};
  const Index row = 2 * job.nx;
  const Real scale = kBack ? job.backward_scale : job.forward_scale;
  if (job.wide_x.n != 0) {
    for (Index y = 0; y < count; ++y) {
      fetch_ahead(in + row * y, row);
      transform_wide_line<kBack>(job.wide_x, in + row * y, scale, buffer, out + row * y);
    }
    return;
  }
  for (Index y = 0; y < count; y += lanes) {
    const Index here = std::min<Index>(lanes, count - y);
    fetch_ahead(in + row * y, row * here);
    Rows<kBack> source, target;
    for (Index l = 0; l < lanes; ++l) {
      source.line[l] = in + row * (y + std::min(l, here - 1));
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

/// Transforms planes along x, from one array to the other, and along y in place, while they are in the L2 cache.
template <bool kBack>
HWY_INLINE void planes(const Job& job, const PlaneRange& range, const Scratch& scratch, int thread, int threads) {
  const Index row = 2 * job.nx, all = range.last - range.first;
  if (job.ny == 1) {
    const Index groups = (all + lanes - 1) / lanes;
    const Index first = range.first + share(groups, thread, threads) * lanes;
    const Index last = range.first + std::min(share(groups, thread + 1, threads) * lanes, all);
    rows<kBack>(job, last - first, range.from + row * first, range.to + row * first, scratch);
    return pause_after(range.pause, thread);
  }
  const Buffer buffer{scratch.buffer};
  const Index end = range.first + share(all, thread + 1, threads);
  for (Index z = range.first + share(all, thread, threads); z < end; ++z, pause_after(range.pause, thread)) {
    Real* const to = range.to + row * job.ny * z;
    rows<kBack>(job, job.ny, range.from + row * job.ny * z, to, scratch);
    Index x = 0;
    for (; x + lanes <= job.nx; x += lanes) {
      const Columns<kBack> columns{to + 2 * x, row};
      transform_lines(job.y, columns, buffer, columns);
    }
    if (x < job.nx) last_columns<kBack>(job, job.nx - x, to + 2 * x, scratch);
  }
}

/// Fills a tile with `count` columns from `column` of the range on.
HWY_INLINE void load_tile(const Job& job, const ColumnRange& range, Index column, Index count, Index stride,
                          const Scratch& scratch, Real* tile) {
  const Factors* const factors = range.factors;
  if (factors != nullptr) {
    for (Index i = 0; i < count; ++i) {
      const Index c = range.first + column + i;
      const double both = factors->x[c % job.nx] * factors->y[c / job.nx];
      scratch.factors[2 * i] = scratch.factors[2 * i + 1] = static_cast<Real>(both);
    }
  }
  for (Index z = 0; z < job.nz; ++z) {
    const Real* const from = range.from[z] + 2 * column;
    const Real* const coming = range.from[std::min(z + rows_ahead, job.nz - 1)] + 2 * column;
    Real* const to = tile + stride * z;
    if (factors != nullptr) {
      load_row_times(from, 2 * count, coming, scratch.factors, static_cast<Real>(factors->z[z]), to);
    } else {
      load_row(from, 2 * count, coming, to);
    }
  }
}

/// Transforms along z, a tile of neighbouring columns after the other. Where tiles are streamed, one of two is written
/// between the transforms of the other: a processor writes past its caches at its own pace, and computes meanwhile.
template <bool kBack, bool kStream>
HWY_INLINE void columns(const Job& job, const ColumnRange& range, const Scratch& scratch, int thread, int threads) {
  const Index all = range.last - range.first, tiles = (all + job.tile_columns - 1) / job.tile_columns;
  const Index stride = 2 * job.tile_columns + row_gap<Real>;
  struct {
    const Real* tile = nullptr;
    Index column = 0, count = 0, done = 0;
  } left;
  const auto write_left = [&](Index until) HWY_ATTR {
    for (; left.done < until; ++left.done) {
      Real* const to = range.to[left.done] + 2 * left.column;
      store_row<kStream>(left.tile + stride * left.done, 2 * left.count, to);
    }
  };
  Real *tile = scratch.tile, *other = kStream ? scratch.other_tile : scratch.tile;
  const Index end = share(tiles, thread + 1, threads);
  for (Index i = share(tiles, thread, threads); i < end; ++i) {
    const Index column = i * job.tile_columns, count = std::min(job.tile_columns, all - column);
    load_tile(job, range, column, count, stride, scratch, tile);
    const Index groups = (count + lanes - 1) / lanes;
    for (Index group = 0; group < groups; ++group) {
      if (left.tile != nullptr) write_left(share(job.nz, group + 1, groups));
      const Columns<kBack> some{tile + 2 * lanes * group, stride};
      transform_lines(job.z, some, Buffer{scratch.buffer}, some);
    }
    left = {tile, column, count, 0};
    if (!kStream) write_left(job.nz);
    std::swap(tile, other);
    pause_after(range.pause, thread);
  }
  if (kStream) {
    if (left.tile != nullptr) write_left(job.nz);
    hwy::FlushStream();
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
