// The sweeps over a long line. The first one may be that along z of any grid as well.

#if defined(ROOFTOP_FFT_LONG_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_LONG_LINE_INL
#undef ROOFTOP_FFT_LONG_LINE_INL
#else
#define ROOFTOP_FFT_LONG_LINE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "grid_turns-inl.hpp"
#include "sweeps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

/// Transforms a grid with ny = 1 along z, from one array to another, straight from and to where the columns lie.
template <bool kBack>
HWY_INLINE void straight_columns(const Job& job, Real* in, Real* out, const Scratch& scratch, int thread, int threads) {
  const Buffer buffer{scratch.buffer};
  const Index row = 2 * job.nx, groups = (job.nx + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = 2 * lanes * group, reals = std::min(2 * Index{lanes}, row - first);
    if (reals == 2 * lanes) {
      transform_lines(job.z, Columns<kBack>{in + first, row}, buffer, Columns<kBack>{out + first, row});
      continue;
    }
    constexpr Index stride = 2 * lanes;
    for (Index z = 0; z < job.nz; ++z) {
      load_row(in + first + row * z, reals, in + first + row * z, scratch.block + stride * z);
    }
    const Columns<kBack> some{scratch.block, stride};
    transform_lines(job.z, some, buffer, some);
    for (Index z = 0; z < job.nz; ++z) store_row<false>(scratch.block + stride * z, reals, out + first + row * z);
  }
}

/// Turns the rows of a grid with ny = 1 and transforms them along x, from `in` to columns of `out`, another array.
template <bool kBack>
HWY_INLINE void rows_to_columns(const Job& job, const GridTurns& turns, Real* in, Real* out, const Scratch& scratch,
                                int thread, int threads) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + (job.x.convolved() ? 0 : job.nx) * row_reals};
  const Real scale = kBack ? job.backward_scale : job.forward_scale;
  const Index groups = (job.nz + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = group * lanes, count = std::min<Index>(lanes, job.nz - first);
    Rows<kBack> source;
    for (Index l = 0; l < lanes; ++l) {
      source.line[l] = in + 2 * job.nx * (first + std::min(value_in_lane(l, lanes), count - 1));
    }
    gather_lines(source, job.nx, buffer);
    turn_rows(turns, group, job.nx, scale, buffer);
    if (count == lanes) {
      transform_lines(job.x, buffer, buffer, Columns<kBack>{out + 2 * first, 2 * job.nz});
      continue;
    }
    transform_lines(job.x, buffer, buffer, results);
    for (Index x = 0; x < job.nx; ++x) {
      const Real* const re = results.first + x * row_reals;
      Real* const to = out + 2 * (job.nz * x + first);
      for (Index i = 0; i < count; ++i) {
        const Index lane = lane_of_value(i, lanes);
        to[2 * i] = re[kBack ? lanes + lane : lane];
        to[2 * i + 1] = re[kBack ? lane : lanes + lane];
      }
    }
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
