/// What ways of reading cost, by counts of bytes and calls.
#pragma once

#include <cstdint>

#include "rooftop/h5io_mpi.hpp"
#include "runs.hpp"

namespace rooftop::h5io::internal {

/// What one rank does in a shared read.
struct Counts {
  std::uint64_t calls = 0, read_bytes = 0, decoded_bytes = 0;
  std::uint64_t pieces = 0;                    ///< picked out of a domain
  std::uint64_t messages = 0, sent_bytes = 0;  ///< and received ones

  [[nodiscard]] double seconds(const Costs& costs) const;
};

/// Of a rank that reads the pieces by itself, as read_contiguous() does with one thread.
Counts alone(const Runs& runs, std::uint64_t gap_bytes);

}  // namespace rooftop::h5io::internal
