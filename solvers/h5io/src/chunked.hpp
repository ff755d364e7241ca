/// Reads of a chunked array.
#pragma once

#include <cstddef>
#include <vector>

#include "open_file.hpp"

namespace rooftop::h5io::internal {

/// Reads what `spans` select of a dataset that has a pipeline into `to`.
void read_chunked(const Dataset::Open& dataset, const std::vector<Span>& spans, std::byte* to, const Options& options,
                  Asked& asked);

/// Sets elements to one value.
void fill(const std::vector<std::byte>& element, std::byte* to, std::size_t elements);

}  // namespace rooftop::h5io::internal
