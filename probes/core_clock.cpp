/// The clock that a core really runs at: a chain of dependent integer additions, one per cycle, one core and all.
///
/// Under a hypervisor no register tells it, and the nominal frequency is neither the turbo nor what a neighbour leaves.
#include <cstdint>
#include <vector>

#include "bursts.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

constexpr int chain = 64;

/// The empty asm keeps each addition: compilers would fold the chain into one.
void add(std::uint64_t& sum, std::uint64_t repetitions) {
  std::uint64_t x = sum;
  std::uint64_t step = 3;
  asm volatile("" : "+r"(step));
  for (std::uint64_t repetition = 0; repetition < repetitions * 1000; ++repetition) {
#pragma GCC unroll 64
    for (int i = 0; i < chain; ++i) {
      x += step;  // a register: recent cores run chains of small constants at several additions a cycle
      asm volatile("" : "+r"(x));
    }
  }
  sum = x;
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("core_clock");
  probe::Pace pace;
  pace.max_bursts = 1000;
  pace.budget_s = options.brief ? 0.02 : options.quick ? 0.05 : 0.5;
  for (const int threads : probe::team_sizes(options.threads, false)) {
    const auto bursts = probe::run_bursts(
        cpus, threads, pace, [](int) { return std::uint64_t{0}; }, add);
    lines.figure("clock", chain * 1000 / bursts.best_repetition_s(), "Hz", threads);
  }
}
