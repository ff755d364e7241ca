/// Lengths that are products of 2, 3, 5 and 7.
#pragma once

#include <vector>

#include "line.hpp"

namespace rooftop::fft::internal {

/// All from `first` to `last`, in ascending order.
[[nodiscard]] std::vector<Index> smooth_lengths(Index first, Index last);

}  // namespace rooftop::fft::internal
