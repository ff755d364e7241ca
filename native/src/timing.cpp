#include <algorithm>
#include <exception>
#include <rooftop/clock.hpp>
#include <rooftop/timing.hpp>

namespace rooftop {

namespace {

/// Calls what ranks do together.
template <typename Step>
void together(Ranks& ranks, const Step& step) {
  if (ranks.size() == 1) return step();
  try {
    step();
  } catch (const std::exception& error) {
    ranks.abandon(error.what());
  } catch (...) {
    ranks.abandon("threw something that is not a std::exception");
  }
}

}  // namespace

std::int64_t run_together(Rung& rung, Ranks& ranks) {
  if (rung.starts_anew()) {
    together(ranks, [&] { rung.reset(); });
    ranks.meet();
  }
  const std::int64_t start = now_ns();
  together(ranks, [&] { rung.run(); });
  const std::int64_t elapsed_ns = now_ns() - start;
  const std::int64_t reported_ns = rung.starts_anew() ? rung.reported_ns() : 0;
  return reported_ns > 0 ? reported_ns : elapsed_ns;
}

std::vector<std::int64_t> time_runs_ns(Rung& rung, std::int64_t iterations, Ranks& ranks) {
  std::int64_t elapsed_ns = 0;
  if (rung.starts_anew()) {
    for (std::int64_t i = 0; i < iterations; ++i) elapsed_ns += run_together(rung, ranks);
  } else {
    ranks.meet();
    const std::int64_t start = now_ns();
    for (std::int64_t i = 0; i < iterations; ++i) together(ranks, [&] { rung.run(); });
    elapsed_ns = now_ns() - start;
  }
  return ranks.all(elapsed_ns);
}

Calibration calibrate(Rung& rung, std::int64_t min_ns, Ranks& ranks, std::int64_t run_ns) {
  constexpr std::int64_t ticks = 1000;
  // All ranks go by the same limit, or they would do different numbers of runs.
  const std::int64_t enough_ns = std::ranges::max(ranks.all(std::max(min_ns, ticks * clock_tick_ns())));
  if (run_ns < long_run_ns) run_together(rung, ranks);
  for (std::int64_t iterations = 1;; iterations *= 2) {
    const std::int64_t elapsed_ns = std::ranges::max(time_runs_ns(rung, iterations, ranks));
    if (elapsed_ns >= enough_ns) return {iterations, elapsed_ns};
  }
}

std::vector<std::int64_t> sample_ns(Rung& rung, std::int64_t iterations, Ranks& ranks, std::int64_t run_ns) {
  if (!rung.starts_anew() && run_ns < long_run_ns) run_together(rung, ranks);
  return time_runs_ns(rung, iterations, ranks);
}

}  // namespace rooftop
