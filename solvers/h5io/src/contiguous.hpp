/// Reads and writes of an array that lies in one piece in its file.
#pragma once

#include <cstdint>

#include "rooftop/h5io.hpp"
#include "runs.hpp"
#include "source.hpp"

namespace rooftop::h5io::internal {

/// Reads `runs` of the array at `address` into `to`; adds what was asked to `asked`. Returns direct or sieved.
Way read_contiguous(const Source& source, std::uint64_t address, const Runs& runs, std::byte* to,
                    const Options& options, Asked& asked);

/// Writes `from` to them, each by itself: small gaps are not written along.
void write_contiguous(const Source& source, std::uint64_t address, const Runs& runs, const std::byte* from,
                      const Options& options, Asked& asked);

}  // namespace rooftop::h5io::internal
