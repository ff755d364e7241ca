/// One number for each filter, added to its outputs.
#pragma once

#include "geometry.hpp"

namespace rooftop::conv::internal {

/// Adds bias[k] to the outputs in a thread's share, the same as that of sum_anew_where_not_finite().
void add_bias(const Geometry& geometry, const float* bias, float* output, int thread, int threads);

}  // namespace rooftop::conv::internal
