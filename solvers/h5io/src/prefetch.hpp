/// What the system is told of reads to come.
#pragma once

#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// Asks the system to bring what `spans` select from the device into its cache, where it is known where that lies. In
/// the report, `read_bytes` and `reads` are what it was asked for.
Report prefetch(const Dataset::Open& dataset, const std::vector<Span>& spans, const Options& options);

}  // namespace rooftop::h5io::internal
