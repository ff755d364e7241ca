/// Timing the runs of a rung.
#pragma once

#include <cstdint>
#include <rooftop/ranks.hpp>
#include <rooftop/rung.hpp>
#include <vector>

namespace rooftop {

/// A run by all ranks, after a reset where it starts anew. A rank that fails amid it ends all of them, since others may
/// wait for it. Returns this rank's time of the run alone, in ns, as timed or as the rung reports it.
std::int64_t run_together(Rung& rung, Ranks& ranks);

/// Elapsed time of so many runs, one after another: each rank's, in ns. From a common start of all of them, or of each
/// of them where they start anew.
[[nodiscard]] std::vector<std::int64_t> time_runs_ns(Rung& rung, std::int64_t iterations, Ranks& ranks);

struct Calibration {
  std::int64_t iterations;
  std::int64_t elapsed_ns;  ///< the slowest rank's
};

/// From this run time on, untimed runs are left out: filling a cache of 64 MiB again takes a hundredth of it.
inline constexpr std::int64_t long_run_ns = 1'000'000'000;

/// How many runs last at least `min_ns` and 1000 clock ticks: doubled until they do, after one untimed run unless the
/// run before took `run_ns`, which is long. 0: not known.
[[nodiscard]] Calibration calibrate(Rung& rung, std::int64_t min_ns, Ranks& ranks, std::int64_t run_ns = 0);

/// One untimed run, to refill the caches that others emptied, unless runs start anew or are known to be long; then
/// `iterations` timed ones: each rank's time. `run_ns`: a run's time where it is known, else 0.
[[nodiscard]] std::vector<std::int64_t> sample_ns(Rung& rung, std::int64_t iterations, Ranks& ranks,
                                                  std::int64_t run_ns = 0);

}  // namespace rooftop
