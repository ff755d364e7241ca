/// The entry points that are compiled once per instruction set, as a table chosen at run time.
#pragma once

#include "geometry.hpp"

namespace rooftop::conv::internal {

struct Kernels {
  const char* target;  ///< Highway's name of the instruction set
  int lanes;           ///< floats in a vector
  Index panel;         ///< filters that one panel of the transformed filter holds, a multiple of channel_block
  /// Each call does one thread's share; all threads of the team must call it together (it may meet at OpenMP barriers).
  void (*run)(const Job& job, const Arrays& arrays, int thread, int threads);
  /// filter[k][c][9] to [position][panel][c][filter in panel]; positions: tiling.a squared, or 9 taps for the direct
  /// method.
  void (*transform_filter)(const Job& job, const float* filter, float* transformed, int thread, int threads);
  void (*to_blocked)(const float* nchw, float* blocked, Index n, Index channels, Index pixels, int thread, int threads);
  void (*from_blocked)(const float* blocked, float* nchw, Index n, Index channels, Index pixels, int thread,
                       int threads);
};

/// The table for the best instruction set that this processor has.
const Kernels& kernels();

}  // namespace rooftop::conv::internal
