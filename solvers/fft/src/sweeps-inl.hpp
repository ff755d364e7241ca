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
#include "tiles-inl.hpp"
#include "transpose-inl.hpp"
#include "wide_line-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using PlaneRange = internal::PlaneRange<Real>;

inline constexpr Index fetched_ahead = 16384 / sizeof(Real);  ///< of lines that are read one after the other

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
/// one behind the other as they do at `coming`, from where as many are fetched, unless it is one alone.
template <bool kBack>
HWY_INLINE void rows(const Job& job, Index count, Real* in, Index in_row, Real* out, std::uintptr_t coming,
                     const Scratch& scratch) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + (job.x.convolved() ? 0 : job.nx) * row_reals};
  const Index row = 2 * job.nx;
  const std::uintptr_t row_bytes = sizeof(Real) * static_cast<std::uintptr_t>(row);
  const Real scale = kBack ? job.backward_scale : job.forward_scale;
  if (job.wide_x.n != 0) {
    for (Index y = 0; y < count; ++y, coming += row_bytes) {
      if (count > 1) fetch_lines(coming, row);
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

/// Of lines that are transformed before a thread looks again whether to stop: some milliseconds.
inline constexpr Index looked_after_reals = Index{1} << 20;

HWY_INLINE bool stopped(running::Limit* limit) { return limit != nullptr && limit->stopped(); }

/// Transforms planes along x and y, from one array to the other, one by one in the L2 cache.
template <bool kBack>
HWY_INLINE void planes(const Job& job, const PlaneRange& range, const Scratch& scratch, int thread, int threads) {
  const Index row = 2 * job.nx, all = range.last - range.first;
  if (job.ny == 1) {
    const Index groups = (all + lanes - 1) / lanes;
    const Index first = range.first + share(groups, thread, threads) * lanes;
    const Index last = range.first + std::min(share(groups, thread + 1, threads) * lanes, all);
    // All at once, unless somebody may stop it meanwhile.
    const Index most =
        range.limit == nullptr ? last - first : std::max<Index>(1, looked_after_reals / (row * lanes)) * lanes;
    for (Index line = first; line < last && !stopped(range.limit); line += most) {
      Real* const from = range.from + row * line;
      const Index count = std::min(most, last - line);
      rows<kBack>(job, count, from, row, range.to + row * line, behind(from, fetched_ahead), scratch);
    }
    return pause_after(range.pause, thread);
  }
  const Index end = range.first + share(all, thread + 1, threads);
  for (Index z = range.first + share(all, thread, threads); z < end; ++z) {
    if (stopped(range.limit)) return;
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

/// How often a transform of `lanes` lines turns aside. A buffer that fills half of the L1 cache is better left alone.
HWY_INLINE Index turns_of(const Line& line) {
  constexpr Index most_bytes = 16384;
  const auto bytes = line.length * row_reals * static_cast<Index>(sizeof(Real));
  if (line.convolved() || line.passes.size() < 2 || bytes > most_bytes) return 0;
  Index turns = 0;
  for (const Pass& pass : line.passes) turns += line.length / pass.radix;
  return turns;
}

/// Transforms along z, a tile of neighbouring columns after the other. While one is transformed, the rows of the other
/// are written, and filled with what comes next: memory is read and written meanwhile.
template <bool kBack, bool kStream, int kResults>
HWY_INLINE void columns(const Job& job, const ColumnRange& range, const Scratch& scratch, int thread, int threads) {
  using Meanwhile = RowsMeanwhile<kStream, kResults>;
  const Tiles<kStream, kResults> tiles(job, range, scratch);
  const Index first = share(tiles.count(), thread, threads), end = share(tiles.count(), thread + 1, threads);
  if (first == end) return;
  const Index turns = turns_of(job.z);
  Tile<kResults> here = tiles.place(0), other = tiles.place(1);
  tiles.begin(here, first);
  for (Index z = 0; z < job.nz; ++z) tiles.fill_row(here, z);
  for (Index i = first; i < end; ++i) {
    if (stopped(range.limit)) return;
    const Tile<kResults> before = other;
    if (i + 1 < end) tiles.begin(other, i + 1);
    const Index groups = (here.count + lanes - 1) / lanes, parts = kResults * groups;
    for (Index part = 0; part < parts; ++part) {
      Meanwhile rows(tiles, i > first ? &before : nullptr, i + 1 < end ? &other : nullptr, share(job.nz, part, parts),
                     share(job.nz, part + 1, parts), turns);
      const Aside aside{Meanwhile::turn, &rows};
      const Columns<kBack> some{here.rows[part / groups] + 2 * lanes * (part % groups), tiles.stride()};
      transform_lines(job.z, some, Buffer{scratch.buffer, turns > 0 ? &aside : nullptr}, some);
      rows.finish();
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
