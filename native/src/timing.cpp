#include <algorithm>
#include <exception>
#include <rooftop/clock.hpp>
#include <rooftop/timing.hpp>

namespace rooftop {

void run_together(Rung& rung, Ranks& ranks) {
  if (ranks.size() == 1) return rung.run();
  try {
    rung.run();
  } catch (const std::exception& error) {
    ranks.abandon(error.what());
  } catch (...) {
    ranks.abandon("threw something that is not a std::exception");
  }
}

std::vector<std::int64_t> time_runs_ns(Rung& rung, std::int64_t iterations, Ranks& ranks) {
  ranks.meet();
  const std::int64_t start = now_ns();
  for (std::int64_t i = 0; i < iterations; ++i) run_together(rung, ranks);
  return ranks.all(now_ns() - start);
}

Calibration calibrate(Rung& rung, std::int64_t min_ns, Ranks& ranks) {
  constexpr std::int64_t ticks = 1000;
  // All ranks go by the same limit, or they would do different numbers of runs.
  const std::int64_t enough_ns = std::ranges::max(ranks.all(std::max(min_ns, ticks * clock_tick_ns())));
  run_together(rung, ranks);
  for (std::int64_t iterations = 1;; iterations *= 2) {
    const std::int64_t elapsed_ns = std::ranges::max(time_runs_ns(rung, iterations, ranks));
    if (elapsed_ns >= enough_ns) return {iterations, elapsed_ns};
  }
}

std::vector<std::int64_t> sample_ns(Rung& rung, std::int64_t iterations, Ranks& ranks) {
  run_together(rung, ranks);
  return time_runs_ns(rung, iterations, ranks);
}

}  // namespace rooftop
