/// Cost model of reads: seconds from counts of bytes, system calls and messages.
#pragma once

#include <cstdint>

#include "rooftop/h5io_mpi.hpp"
#include "runs.hpp"

namespace rooftop::h5io::internal {

/// The work of one rank in a shared read.
struct Counts {
  std::uint64_t calls = 0, read_bytes = 0, decoded_bytes = 0;
  std::uint64_t pieces = 0;                    ///< copied out of a domain
  std::uint64_t messages = 0, sent_bytes = 0;  ///< sent and received

  [[nodiscard]] double seconds(const Costs& costs) const;
};

/// Returns the work of a rank that reads its pieces by itself, as read_contiguous() does with one thread.
Counts alone(const Runs& runs, std::uint64_t gap_bytes);

}  // namespace rooftop::h5io::internal
