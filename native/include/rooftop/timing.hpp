/// Timing the runs of a rung.
#pragma once

#include <cstdint>
#include <rooftop/rung.hpp>

namespace rooftop {

/// Elapsed time of so many runs, one after another, in ns.
[[nodiscard]] std::int64_t time_runs_ns(Rung& rung, std::int64_t iterations);

struct Calibration {
  std::int64_t iterations;
  std::int64_t elapsed_ns;
};
/// How many runs last at least `min_ns` and 1000 clock ticks: doubled until they do, after one untimed run.
[[nodiscard]] Calibration calibrate(Rung& rung, std::int64_t min_ns);

/// One untimed run, to refill the caches that others emptied, then `iterations` timed ones.
[[nodiscard]] std::int64_t sample_ns(Rung& rung, std::int64_t iterations);

}  // namespace rooftop
