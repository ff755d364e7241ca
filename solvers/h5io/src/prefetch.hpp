/// Tells the system which parts of a file will be read soon.
#pragma once

#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// Asks the system to load the selection `spans` into its page cache. Does nothing if the addresses of the data are not
/// known. In the report, `read_bytes` and `reads` count what was asked for. Throws Stopped.
Report prefetch(const Dataset::Open& dataset, const std::vector<Span>& spans, const Options& options);

}  // namespace rooftop::h5io::internal
