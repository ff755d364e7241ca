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

/// Transforms a grid with ny = 1 along z, from one array to another, straight from and to where the columns lie. Rows
/// of the results lie `out_row` real numbers apart; where these are whole vectors, the last one is filled up.
template <bool kBack>
HWY_INLINE void straight_columns(const Job& job, Real* in, Real* out, Index out_row, const Scratch& scratch, int thread,
                                 int threads) {
  const Buffer buffer{scratch.buffer};
  const Index row = 2 * job.nx, groups = (job.nx + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = group * lanes, count = std::min<Index>(lanes, job.nx - first);
    Real *const from = in + 2 * first, *const to = out + 2 * first;
    if (count == lanes) {
      transform_lines(job.z, Columns<kBack>{from, row}, buffer, Columns<kBack>{to, out_row});
      continue;
    }
#if HWY_TARGET != HWY_SCALAR
    const FewColumns<kBack> source{from, row, count};
    for (Index z = 0; z < job.nz; ++z) buffer.store(z, source.load(z));
    if (2 * (first + lanes) <= out_row) {
      transform_lines(job.z, buffer, buffer, Columns<kBack>{to, out_row});
    } else {
      transform_lines(job.z, buffer, buffer, FewColumns<kBack>{to, out_row, count});
    }
#endif
  }
}

/// Turns the rows of a grid with ny = 1 and transforms them along x, from `in`, where they lie `in_row` real numbers
/// apart, to columns of `out`, another array.
template <bool kBack>
HWY_INLINE void rows_to_columns(const Job& job, const GridTurns& turns, Real* in, Index in_row, Real* out,
                                const Scratch& scratch, int thread, int threads) {
  const Buffer buffer{scratch.buffer};
  const Real scale = kBack ? job.backward_scale : job.forward_scale;
  // Whole vectors of rows that are filled up.
  constexpr Index whole = lanes > 1 ? complexes : 1;
  const Index gathered = std::min((job.nx + whole - 1) / whole * whole, in_row / 2);
  const Index groups = (job.nz + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = group * lanes, count = std::min<Index>(lanes, job.nz - first);
    Rows<kBack> source;
    for (Index l = 0; l < lanes; ++l) {
      source.line[l] = in + in_row * (first + std::min(value_in_lane(l, lanes), count - 1));
    }
    gather_lines(source, gathered, buffer);
    turn_rows(turns, group, job.nx, scale, buffer);
    if (count == lanes) {
      transform_lines(job.x, buffer, buffer, Columns<kBack>{out + 2 * first, 2 * job.nz});
      continue;
    }
#if HWY_TARGET != HWY_SCALAR
    transform_lines(job.x, buffer, buffer, FewColumns<kBack>{out + 2 * first, 2 * job.nz, count});
#endif
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
