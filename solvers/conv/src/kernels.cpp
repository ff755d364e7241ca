// Compiled once per instruction set that Highway knows for this architecture; the best one is chosen at run time.
#include "kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "direct-inl.hpp"
#include "few_channels-inl.hpp"
#include "filter-inl.hpp"
#include "pack-inl.hpp"
#include "winograd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

// Each in a file of its own, winograd_f2.cpp and so on: they are most of what there is to compile.
extern template void run_winograd<F2>(const Job&, const Arrays&, int, int);
extern template void run_winograd<F4>(const Job&, const Arrays&, int, int);
extern template void run_winograd<F6>(const Job&, const Arrays&, int, int);
extern template void transform_filter_winograd<F2>(const Job&, const float*, float*, int, int);
extern template void transform_filter_winograd<F4>(const Job&, const float*, float*, int, int);
extern template void transform_filter_winograd<F6>(const Job&, const float*, float*, int, int);

void transform_filter(const Job& job, const float* filter, float* transformed, int thread, int threads) {
  switch (job.tiling.m) {
    case 2:
      return transform_filter_winograd<F2>(job, filter, transformed, thread, threads);
    case 4:
      return transform_filter_winograd<F4>(job, filter, transformed, thread, threads);
    case 6:
      return transform_filter_winograd<F6>(job, filter, transformed, thread, threads);
    default:
      return transform_filter_direct(job, filter, transformed, thread, threads);
  }
}

void run_transformed(const Job& job, const Arrays& arrays, int thread, int threads) {
  if (job.tiling.in_registers) return run_few_channels(job, arrays, thread, threads);
  switch (job.tiling.m) {
    case 2:
      return run_winograd<F2>(job, arrays, thread, threads);
    case 4:
      return run_winograd<F4>(job, arrays, thread, threads);
    case 6:
      return run_winograd<F6>(job, arrays, thread, threads);
    default:
      return run_direct(job, arrays, thread, threads);
  }
}

/// What went past the caches is there for every other thread once this one has met it.
void run_and_flush(const Job& job, const Arrays& arrays, int thread, int threads) {
  run_transformed(job, arrays, thread, threads);
  if (job.stream_output) hwy::FlushStream();
}

void run(const Job& job, const Arrays& arrays, int thread, int threads) {
  if (job.scratch_floats_filter == 0) return run_and_flush(job, arrays, thread, threads);
  transform_filter(job, arrays.filter, arrays.scratch, thread, threads);
  if (threads > 1) {
#pragma omp barrier
  }
  float* const behind = arrays.scratch + job.scratch_floats_filter;
  run_and_flush(job, {arrays.image, arrays.scratch, arrays.output, behind, arrays.limit}, thread, threads);
}

void to_blocked(const float* nchw, float* blocked, Index n, Index channels, Index pixels, int thread, int threads) {
  const Index blocks = ceil_div(channels, channel_block), items = n * blocks;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index image = item / blocks, first = item % blocks * channel_block;
    pack_row(nchw + (image * channels + first) * pixels, pixels, std::min(channel_block, channels - first), pixels,
             blocked + item * pixels * channel_block);
  }
}

void from_blocked(const float* blocked, float* nchw, Index n, Index channels, Index pixels, int thread, int threads) {
  const Index blocks = ceil_div(channels, channel_block), items = n * blocks;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index image = item / blocks, first = item % blocks * channel_block;
    unpack_row(blocked + item * pixels * channel_block, std::min(channel_block, channels - first), pixels,
               nchw + (image * channels + first) * pixels, pixels);
  }
}

const Kernels& table() {
  static const Kernels kernels{
      hwy::TargetName(HWY_TARGET), lanes, panel_floats, run, transform_filter, to_blocked, from_blocked};
  return kernels;
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::conv::internal {

HWY_EXPORT(table);

const Kernels& kernels() { return HWY_DYNAMIC_DISPATCH(table)(); }

}  // namespace rooftop::conv::internal
#endif
