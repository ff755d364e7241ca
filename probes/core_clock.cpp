/// The clock that a core really runs at: a chain of dependent integer additions, one per cycle, one core and all.
///
/// Under a hypervisor no register tells it, and the nominal frequency is neither the turbo nor what a neighbour leaves.
/// The chain is the delay of the labs. That no core shortens it shows beside a chain of multiplications, which take 3
/// cycles each on x86 (since Nehalem and Zen) and 2 to 4 on Arm: more means that several additions went into a cycle.
#include <cstdint>
#include <vector>

#include "bursts.hpp"
#include "rooftop/delay.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

constexpr std::int64_t chain = 64'000;  // operations of one repetition

void add(std::uint64_t& sum, std::uint64_t repetitions) {
  sum = rooftop::Delay().after(sum, chain * static_cast<std::int64_t>(repetitions));
}

/// The empty asm keeps each multiplication, and what the factor is from the compiler.
void multiply(std::uint64_t& product, std::uint64_t repetitions) {
  std::uint64_t x = product;
  std::uint64_t factor = 3;
  asm volatile("" : "+r"(factor));
#pragma GCC unroll 16
  for (std::uint64_t left = chain * repetitions; left > 0; --left) {
    x *= factor;
    asm volatile("" : "+r"(x));
  }
  product = x;
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("core_clock");
  probe::Pace pace;
  pace.max_bursts = 1000;
  pace.budget_s = options.brief ? 0.02 : options.quick ? 0.05 : 0.5;
  const auto one = [](int) { return std::uint64_t{1}; };
  for (const int threads : probe::team_sizes(options.threads, false)) {
    const double addition_s = probe::run_bursts(cpus, threads, pace, one, add).best_repetition_s() / chain;
    lines.figure("clock", 1 / addition_s, "Hz", threads);
    if (threads > 1 || options.brief) continue;  // a brief look is for what drifts
    const double multiplication_s = probe::run_bursts(cpus, 1, pace, one, multiply).best_repetition_s() / chain;
    lines.figure("multiply_latency", multiplication_s / addition_s, "cycles", 1);
  }
}
