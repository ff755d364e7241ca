/// Timing the runs of a rung.
#pragma once

#include <cstdint>
#include <rooftop/ranks.hpp>
#include <rooftop/rung.hpp>
#include <vector>

namespace rooftop {

/// A run by all ranks. A rank that fails amid it ends all of them, since others may wait for it.
void run_together(Rung& rung, Ranks& ranks);

/// Elapsed time of so many runs, one after another, from a common start: each rank's, in ns.
[[nodiscard]] std::vector<std::int64_t> time_runs_ns(Rung& rung, std::int64_t iterations, Ranks& ranks);

struct Calibration {
  std::int64_t iterations;
  std::int64_t elapsed_ns;  ///< the slowest rank's
};
/// How many runs last at least `min_ns` and 1000 clock ticks: doubled until they do, after one untimed run.
[[nodiscard]] Calibration calibrate(Rung& rung, std::int64_t min_ns, Ranks& ranks);

/// One untimed run, to refill the caches that others emptied, then `iterations` timed ones: each rank's time.
[[nodiscard]] std::vector<std::int64_t> sample_ns(Rung& rung, std::int64_t iterations, Ranks& ranks);

}  // namespace rooftop
