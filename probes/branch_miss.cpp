/// What a branch costs that was predicted wrongly: branches on random bits beside branches on a pattern.
///
/// The bits are in a register before the branches are fetched, so that a branch is known to be wrong as soon as it can
/// be executed: the figure is the way from the fetch of a branch to that of its successor, without a wait for data.
/// Half of the guesses on random bits are wrong. As many branches are taken in the pattern, which a predictor knows.
#include <cstdint>

#include "bursts.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

constexpr std::uint64_t words = 100;  ///< of one repetition
constexpr int bits = 64;

struct Bits {
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  std::uint64_t random = 0;   ///< which bits are those of the state
  std::uint64_t pattern = 0;  ///< the others
};

/// The branches are written one by one: a loop's end would be another one to guess. The empty asm keeps the compiler
/// from adding the bit, without a branch.
void branches(Bits& of, std::uint64_t repetitions) {
  std::uint64_t state = of.state;
  std::uint64_t taken = 0;
  for (std::uint64_t left = words * repetitions; left > 0; --left) {
    state ^= state << 13U;  // xorshift64: no pattern that a predictor learns
    state ^= state >> 7U;
    state ^= state << 17U;
    const std::uint64_t word = (state & of.random) | of.pattern;
#pragma GCC unroll 64
    for (int bit = 0; bit < bits; ++bit) {
      if ((word & (std::uint64_t{1} << bit)) != 0) {
        taken += 1;
        asm volatile("" : "+r"(taken));
      }
    }
  }
  of.state = state;
  asm volatile("" ::"r"(taken));
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("branch_miss");
  probe::Pace pace;
  pace.max_bursts = 1000;
  pace.budget_s = options.quick ? 0.05 : 0.5;
  const auto random = [](int) { return Bits{.random = ~std::uint64_t{0}}; };
  const auto regular = [](int) { return Bits{.pattern = 0x5555555555555555U}; };
  const double random_s = probe::run_bursts(cpus, 1, pace, random, branches).best_repetition_s();
  const double regular_s = probe::run_bursts(cpus, 1, pace, regular, branches).best_repetition_s();
  if (random_s <= regular_s) {
    lines.skip("branch_miss: branches on random bits take no longer than those on a pattern");
    return 0;
  }
  lines.figure("branch_miss", (random_s - regular_s) / (words * bits / 2), "s", 1);
}
