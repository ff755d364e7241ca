// Compiled once per instruction set that Highway knows for this architecture; the best one is chosen at run time.
#include "kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "long_line-inl.hpp"
#include "sweeps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::HWY_NAMESPACE {

void run_planes(const Job& job, bool back, const PlaneRange& range, double* scratch, int thread, int threads) {
  const Scratch own(job, scratch, thread);
  if (back) {
    planes<true>(job, range, own, thread, threads);
  } else {
    planes<false>(job, range, own, thread, threads);
  }
}

void run_columns(const Job& job, bool back, const ColumnRange& range, double* scratch, int thread, int threads) {
  const Scratch own(job, scratch, thread);
  const bool stream = job.stream && std::all_of(range.to, range.to + job.nz, [](const double* plane) {
                        return reinterpret_cast<std::uintptr_t>(plane) % 64 == 0;
                      });
  if (back && stream) {
    columns<true, true>(job, range, own, thread, threads);
  } else if (back) {
    columns<true, false>(job, range, own, thread, threads);
  } else if (stream) {
    columns<false, true>(job, range, own, thread, threads);
  } else {
    columns<false, false>(job, range, own, thread, threads);
  }
}

void run_rows_to_columns(const Job& job, bool back, const double* turns, double* in, double* out, double* scratch,
                         int thread, int threads) {
  const Scratch own(job, scratch, thread);
  if (back) {
    rows_to_columns<true>(job, turns, in, out, own, thread, threads);
  } else {
    rows_to_columns<false>(job, turns, in, out, own, thread, threads);
  }
}

const Kernels& table() {
  constexpr int registers = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 ? 16 : 32;  // Highway's best targets are the smallest
  static const Kernels kernels{hwy::TargetName(HWY_TARGET), lanes, registers, run_planes, run_columns,
                               run_rows_to_columns};
  return kernels;
}

}  // namespace rooftop::fft::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::fft::internal {

HWY_EXPORT(table);

const Kernels& kernels() { return HWY_DYNAMIC_DISPATCH(table)(); }

}  // namespace rooftop::fft::internal
#endif
