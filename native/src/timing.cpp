#include <algorithm>
#include <rooftop/clock.hpp>
#include <rooftop/timing.hpp>

namespace rooftop {

std::int64_t time_runs_ns(Rung& rung, std::int64_t iterations) {
  const std::int64_t start = now_ns();
  for (std::int64_t i = 0; i < iterations; ++i) rung.run();
  return now_ns() - start;
}

Calibration calibrate(Rung& rung, std::int64_t min_ns) {
  constexpr std::int64_t ticks = 1000;
  const std::int64_t enough_ns = std::max(min_ns, ticks * clock_tick_ns());
  rung.run();
  for (std::int64_t iterations = 1;; iterations *= 2) {
    const std::int64_t elapsed_ns = time_runs_ns(rung, iterations);
    if (elapsed_ns >= enough_ns) return {iterations, elapsed_ns};
  }
}

std::int64_t sample_ns(Rung& rung, std::int64_t iterations) {
  rung.run();
  return time_runs_ns(rung, iterations);
}

}  // namespace rooftop
