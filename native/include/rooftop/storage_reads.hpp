/// What came from the device, as the system counts it.
#pragma once

#include <cstdint>
#include <optional>

namespace rooftop {

/// Bytes that this process has fetched from storage so far, and the programs that it started and waited for: read_bytes
/// of /proc/self/io. What the system's cache had is not among them. Nothing where that is not told.
[[nodiscard]] std::optional<std::int64_t> storage_read_bytes();

}  // namespace rooftop
