/// Arguments of plans and runs, checked. All functions throw InvalidArgument.
#pragma once

#include "rooftop/fft.hpp"

namespace rooftop::fft::internal {

/// The number of threads asked for, for 0 as many as OpenMP has, but no more than a transform of this size pays for.
[[nodiscard]] int team_size(int asked, const Shape& shape);

/// From here on, as many threads as are asked for take part in transforms of any size.
void let_all_threads_take_part_for_test();

/// Checks the lengths of a grid whose first `axes` axes are transformed, and returns it.
const Shape& checked_shape(const Shape& shape, int axes);

/// Checks the number of axes, and that the scales are finite as a Real, and returns the options.
template <class Real>
const Options& checked_options(const Options& options);

void check_pointers(const void* in, const void* out, const void* scratch);

}  // namespace rooftop::fft::internal
