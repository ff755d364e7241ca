/// Reads and writes contiguous datasets without the HDF5 library.
#pragma once

#include <cstdint>

#include "rooftop/h5io.hpp"
#include "runs.hpp"
#include "source.hpp"

namespace rooftop::h5io::internal {

/// Reads the pieces `runs` of the array at `address` into `to`, and counts bytes and calls in `asked`. Returns
/// Way::direct, or Way::sieved if gaps were read as well. Throws FileError, and Stopped.
Way read_contiguous(const Source& source, std::uint64_t address, const Runs& runs, std::byte* to,
                    const Options& options, Asked& asked);

/// Estimates the bytes and calls that one thread needs to read `runs`.
struct Expected {
  std::uint64_t bytes, calls;
};
[[nodiscard]] Expected expected_of(const Runs& runs, const Options& options);

/// Writes `from` to the pieces `runs` of the array at `address`, and counts bytes and calls in `asked`. Each piece is
/// written by itself, since the bytes in gaps must not change. Throws FileError, and Stopped.
void write_contiguous(const Source& source, std::uint64_t address, const Runs& runs, const std::byte* from,
                      const Options& options, Asked& asked);

}  // namespace rooftop::h5io::internal
