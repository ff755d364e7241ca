/// How fast the same ranks move as many bytes by pread or pwrite, one piece for each rank.
#pragma once

#include <cstdint>
#include <string>

#include "asked.hpp"

namespace h5bench {

/// Writes what `path` has into the device, and drops it from the system's cache. Of a file that ranks share, by one of
/// them; others wait.
void drop_from_cache(const std::string& path, bool shared);

/// Bytes per second of all ranks, by the slowest; 0 where there is nothing to move. A read is of the file itself, a
/// write of another one beside it. `path`: this rank's file. Throws std::system_error.
double plain_rate(const Asked& asked, const std::string& path, std::uint64_t bytes);

}  // namespace h5bench
