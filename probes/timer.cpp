/// The clock that times everything else: its resolution and what one reading costs.
///
/// Resolution: the smallest step seen between two readings that differ. A sample should last at least 1000 of them.
#include <algorithm>
#include <chrono>
#include <limits>

#include "bursts.hpp"
#include "processors.hpp"
#include "rooftop/probe_lines.hpp"

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("timer");
  probe::pin_to(cpus[0]);
  const int readings = options.quick ? 100000 : 1000000;
  double step_s = std::numeric_limits<double>::infinity();
  double cost_s = std::numeric_limits<double>::infinity();
  for (int burst = 0; burst < 10; ++burst) {
    const auto start = probe::Clock::now();
    auto before = start;
    for (int i = 0; i < readings / 10; ++i) {
      const auto now = probe::Clock::now();
      if (now != before) step_s = std::min(step_s, probe::seconds_between(before, now));
      before = now;
    }
    cost_s = std::min(cost_s, probe::seconds_between(start, before) / (readings / 10));
  }
  const auto source = probe::first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const rooftop::ProbeFields more = {{"clock", "std::chrono::steady_clock"}, {"source", source.value_or("unknown")}};
  lines.figure("timer", step_s, "s", 1, more);
  lines.figure("timer_cost", cost_s, "s", 1, more);
}
