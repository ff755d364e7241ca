/// What is put right behind the kernels where values are not finite. A tile's transforms take differences of pixels: of
/// an infinite one all that is left is NaN, in each output that it is part of.
#pragma once

#include "geometry.hpp"

namespace rooftop::conv::internal {

/// Sums each output that is not finite anew, by the definition, in doubles. arrays.filter: [k][c][3][3]. One thread's
/// share.
void sum_anew_where_not_finite(const Geometry& geometry, const Arrays& arrays, int thread, int threads);

/// Sets the channels that fill the last block of a blocked output to zero: the kernels multiply zeros of the filter by
/// pixels there, which gives NaN where these are not finite, and would spoil what reads the output next.
void clear_filling_channels(const Geometry& geometry, float* output, int thread, int threads);

}  // namespace rooftop::conv::internal
