// The entry points, in the precision of the file that includes this. That defines ROOFTOP_FFT_REAL, the type, and
// ROOFTOP_FFT_PRECISION, a namespace of its own: equal names would let the linker take either precision for both.

#if defined(ROOFTOP_FFT_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_KERNELS_INL
#undef ROOFTOP_FFT_KERNELS_INL
#else
#define ROOFTOP_FFT_KERNELS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "grid_chirp-inl.hpp"
#include "kernels.hpp"
#include "long_line-inl.hpp"
#include "real_modes-inl.hpp"
#include "sweeps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

void run_lone_line(const Job& job, bool back, Real* in, Real* out, Real* scratch) {
  const Buffer buffer{Scratch(job, scratch, 0).buffer};
  if (back) {
    transform_wide_line<true>(job.wide_x, in, job.backward_scale, buffer, out);
  } else {
    transform_wide_line<false>(job.wide_x, in, job.forward_scale, buffer, out);
  }
}

void run_planes(const Job& job, bool back, const PlaneRange& range, Real* scratch, int thread, int threads) {
  const Scratch own(job, scratch, thread);
  if (back) {
    planes<true>(job, range, own, thread, threads);
  } else {
    planes<false>(job, range, own, thread, threads);
  }
}

/// Whether columns can be written past the caches: whole lines of them.
bool streams(const Job& job, Real* const* to) {
  return job.stream && std::all_of(to, to + job.nz,
                                   [](const Real* plane) { return reinterpret_cast<std::uintptr_t>(plane) % 64 == 0; });
}

void run_columns(const Job& job, bool back, const ColumnRange& range, Real* scratch, int thread, int threads) {
  const Scratch own(job, scratch, thread);
  const bool stream = streams(job, range.result.to);
  if (range.second.to != nullptr) {
    if (back && stream && streams(job, range.second.to))
      return columns<true, true, 2>(job, range, own, thread, threads);
    const ColumnRange second{range.first, range.last, range.from, range.second, range.pause};
    run_columns(job, back, second, scratch, thread, threads);
  }
  if (back && stream) {
    columns<true, true, 1>(job, range, own, thread, threads);
  } else if (back) {
    columns<true, false, 1>(job, range, own, thread, threads);
  } else if (stream) {
    columns<false, true, 1>(job, range, own, thread, threads);
  } else {
    columns<false, false, 1>(job, range, own, thread, threads);
  }
}

void run_straight_columns(const Job& job, bool back, Real* in, Real* out, Index out_row, Real* scratch, int thread,
                          int threads) {
  const Scratch own(job, scratch, thread);
  if (back) {
    straight_columns<true>(job, in, out, out_row, own, thread, threads);
  } else {
    straight_columns<false>(job, in, out, out_row, own, thread, threads);
  }
}

void run_rows_to_columns(const Job& job, bool back, const GridTurns& turns, Real* in, Index in_row, Real* out,
                         Real* scratch, int thread, int threads) {
  const Scratch own(job, scratch, thread);
  if (back) {
    rows_to_columns<true>(job, turns, in, in_row, out, own, thread, threads);
  } else {
    rows_to_columns<false>(job, turns, in, in_row, out, own, thread, threads);
  }
}

void run_convolve_rows(const Job& job, const GridChirp& chirp, Real* grid, Real* scratch, int thread, int threads) {
  convolve_rows(job, chirp, grid, Scratch(job, scratch, thread), thread, threads);
}

void run_real_lines(const Job& job, bool back, const Real* factors, Real* in, Real* out, Index count, Real* scratch) {
  const Scratch own(job, scratch, 0);
  if (back) {
    real_lines<true>(job, factors, in, out, count, own);
  } else {
    real_lines<false>(job, factors, in, out, count, own);
  }
}

void run_combine_modes(bool back, Index m, const Real* factors, const Real* in, Real* out, Index first, Index last) {
  if (back) {
    combine_modes<true>(m, factors, in, out, first, last);
  } else {
    combine_modes<false>(m, factors, in, out, first, last);
  }
}

const Kernels<Real>& table() {
  constexpr int registers = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 ? 16 : 32;  // Highway's best targets are the smallest
  static const Kernels<Real> kernels{hwy::TargetName(HWY_TARGET),
                                     lanes,
                                     registers,
                                     run_lone_line,
                                     run_planes,
                                     run_columns,
                                     run_straight_columns,
                                     run_rows_to_columns,
                                     run_convolve_rows,
                                     run_real_lines,
                                     run_combine_modes};
  return kernels;
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::fft::internal {
namespace ROOFTOP_FFT_PRECISION {

HWY_EXPORT(table);

const Kernels<ROOFTOP_FFT_REAL>& best_table() { return HWY_DYNAMIC_DISPATCH(table)(); }

const Kernels<ROOFTOP_FFT_REAL>* table_of([[maybe_unused]] int lanes) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  return best_table().lanes == lanes ? &best_table() : nullptr;
#else
  // The best targets are the smallest.
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0; targets &= targets - 1) {
    hwy::ChosenTarget one;
    one.Update(targets & -targets);
    const Kernels<ROOFTOP_FFT_REAL>& found = HWY_DISPATCH_TABLE(table)[one.GetIndex()]();
    if (found.lanes == lanes) return &found;
  }
  return nullptr;
#endif
}

}  // namespace ROOFTOP_FFT_PRECISION

template <>
const Kernels<ROOFTOP_FFT_REAL>& kernels<ROOFTOP_FFT_REAL>() {
  return ROOFTOP_FFT_PRECISION::best_table();
}

template <>
const Kernels<ROOFTOP_FFT_REAL>* kernels_of<ROOFTOP_FFT_REAL>(int lanes) {
  return ROOFTOP_FFT_PRECISION::table_of(lanes);
}

}  // namespace rooftop::fft::internal
#endif

#endif
