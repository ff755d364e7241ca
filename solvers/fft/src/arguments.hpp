/// Arguments of plans and runs, checked. All functions throw InvalidArgument.
#pragma once

#include "rooftop/fft.hpp"

namespace rooftop::fft::internal {

/// The number of threads asked for, for 0 as many as OpenMP has.
[[nodiscard]] int most_threads(int asked);

/// The same, but no more than a transform of this size pays for.
[[nodiscard]] int team_size(int asked, const Shape& shape);

/// From here on, as many threads as are asked for take part in transforms of any size.
void let_all_threads_take_part_for_test();

/// Checks the lengths of a grid, some of whose axes are transformed, and returns it.
const Shape& checked_shape(const Shape& shape, const Options& options);

/// Checks which axes are transformed, and that the scales are finite as a Real, and returns the options.
template <class Real>
const Options& checked_options(const Options& options);

void check_pointers(const void* in, const void* out, const void* scratch);

}  // namespace rooftop::fft::internal
