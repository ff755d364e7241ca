/// Measures how fast the same ranks move the same number of bytes by pread() or pwrite(), each in one contiguous part.
#pragma once

#include <cstdint>
#include <string>

#include "asked.hpp"

namespace h5bench {

/// Syncs a file to the device and drops it from the page cache. If the ranks share it, one of them does so and the
/// others wait.
void drop_from_cache(const std::string& path, bool shared);

/// Returns the bytes per second of all ranks together, by the slowest rank; 0 if there is nothing to move. Reads read
/// the file itself, writes write another file beside it. `path`: this rank's file. Throws std::system_error.
double plain_rate(const Asked& asked, const std::string& path, std::uint64_t bytes);

}  // namespace h5bench
