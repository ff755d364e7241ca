/// Reads chunked datasets without the HDF5 library.
#pragma once

#include <cstddef>
#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// Reads the selection `spans` of a dataset that has a pipeline into `to`. Throws FileError, and Stopped.
void read_chunked(const Dataset::Open& dataset, const std::vector<Span>& spans, std::byte* to, const Options& options,
                  Asked& asked);

/// Sets `elements` elements at `to` to the value `element`.
void fill(const std::vector<std::byte>& element, std::byte* to, std::size_t elements);

}  // namespace rooftop::h5io::internal
