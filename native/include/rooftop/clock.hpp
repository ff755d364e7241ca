/// The one clock that everything is timed with.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace rooftop {

/// Nanoseconds since an arbitrary moment, never going back.
[[nodiscard]] inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The smallest step of now_ns() seen in a few hundred steps, in ns: the resolution that a timing can have, call
/// included.
[[nodiscard]] inline std::int64_t clock_tick_ns() {
  constexpr int steps = 300;
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  for (int step = 0; step < steps; ++step) {
    const std::int64_t start = now_ns();
    std::int64_t end = start;
    while (end == start) end = now_ns();
    smallest = std::min(smallest, end - start);
  }
  return smallest;
}

}  // namespace rooftop
