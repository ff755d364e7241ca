/// The clock that a core really runs at: a chain of dependent integer additions, one per cycle, one core and all.
///
/// Under a hypervisor no register tells it, and the nominal frequency is neither the turbo nor what a neighbour leaves.
/// The chain is the delay of the labs. That no core shortens it shows beside a chain of multiplications, which take 3
/// cycles each on x86 (since Nehalem and Zen) and 2 to 4 on Arm: more means that several additions went into a cycle.
///
/// The latencies of an addition and of a multiply-add of floating-point numbers are told in the same cycles: 2 to 5.
///
/// Wide vectors may lower the clock, for some time after the last of them too: longer than the chain that is timed
/// straight after them.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bursts.hpp"
#include "rooftop/delay.hpp"
#include "rooftop/probe_lines.hpp"

#if defined(__x86_64__)
#define FLOAT_REGISTER "x"
#elif defined(__aarch64__)
#define FLOAT_REGISTER "w"
#else
#define FLOAT_REGISTER "f"
#endif

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

/// One scalar addition after the other, as in a sum whose order is kept. Golden Cove takes 2 cycles where an addition
/// feeds the next, Zen 3 and Skylake's successors 3 or 4.
void add_floats(float& sum, std::uint64_t repetitions) {
  float x = sum;
  float summand = 1e-4F;
  asm volatile("" : "+" FLOAT_REGISTER(summand));
#pragma GCC unroll 16
  for (std::uint64_t left = chain * repetitions; left > 0; --left) {
    x += summand;
    asm volatile("" : "+" FLOAT_REGISTER(x));
  }
  sum = x;
}

#if defined(__x86_64__)
/// One multiply-add after the other, through the summand, as in a weighted sum.
__attribute__((target("fma"))) void add_products(double& sum, std::uint64_t repetitions) {
  double x = sum;
  double factor = 0.5;
  asm volatile("" : "+x"(factor));
#pragma GCC unroll 16
  for (std::uint64_t left = chain * repetitions; left > 0; --left) {
    asm volatile("vfmadd231sd %1, %1, %0" : "+x"(x) : "x"(factor));
  }
  sum = x;
}

using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));

/// Multiply-adds in 12 chains, as the peak is measured (fma_peak.cpp).
#define ROOFTOP_MULTIPLY_ADDS(NAME, TARGET, VECTOR, REGISTER)                                             \
  TARGET __attribute__((noinline)) void NAME(std::int64_t rounds) {                                       \
    VECTOR factor = VECTOR{} + 0.9999F, summand = VECTOR{} + 1e-4F;                                       \
    asm volatile("" : "+" REGISTER(factor), "+" REGISTER(summand));                                       \
    VECTOR x[12];                                                                                         \
    for (VECTOR & one : x) one = VECTOR{} + 1.0F;                                                         \
    for (std::int64_t round = 0; round < rounds; ++round) {                                               \
      _Pragma("GCC unroll 12") for (VECTOR & one : x) {                                                   \
        asm volatile("vfmadd213ps %2, %1, %0" : "+" REGISTER(one) : REGISTER(factor), REGISTER(summand)); \
      }                                                                                                   \
    }                                                                                                     \
  }
ROOFTOP_MULTIPLY_ADDS(multiply_adds_avx2, __attribute__((target("avx2,fma"))), Floats8, "x")
ROOFTOP_MULTIPLY_ADDS(multiply_adds_avx512, __attribute__((target("avx512f"))), Floats16, "v")
#endif

struct Wide {
  const char* isa;
  void (*run)(std::int64_t rounds);
};

/// Those that this processor has.
std::vector<Wide> wide_instructions() {
  std::vector<Wide> found;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back({"avx2", multiply_adds_avx2});
  if (__builtin_cpu_supports("avx512f")) found.push_back({"avx512", multiply_adds_avx512});
#endif
  return found;
}

/// Seconds of an addition after so many multiply-adds that the clock has followed them: of the slowest core, each in
/// its best turn.
double addition_after(const Wide& wide, const std::vector<int>& cpus, int threads, const probe::Pace& pace) {
  constexpr std::int64_t rounds = 50'000, additions = 16'000;  // 0.1 ms or more, and some 5 us
  std::vector<double> best(static_cast<std::size_t>(threads), std::numeric_limits<double>::infinity());
  probe::run_bursts(
      cpus, threads, pace, [](int thread) { return static_cast<std::size_t>(thread); },
      [&](std::size_t thread, std::uint64_t repetitions) {
        std::uint64_t sum = 1;
        for (; repetitions > 0; --repetitions) {
          wide.run(rounds);
          const auto start = probe::Clock::now();
          sum = rooftop::Delay().after(sum, additions);
          asm volatile("" : "+r"(sum));
          const double addition_s = probe::seconds_between(start, probe::Clock::now()) / additions;
          best[thread] = std::min(best[thread], addition_s);
        }
      });
  return *std::max_element(best.begin(), best.end());
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
    if (options.brief) continue;  // a brief look is for what drifts
    for (const Wide& wide : wide_instructions()) {
      lines.figure("clock_after_fma", 1 / addition_after(wide, cpus, threads, pace), "Hz", threads,
                   {{"isa", wide.isa}});
    }
    if (threads > 1) continue;
    const double multiplication_s = probe::run_bursts(cpus, 1, pace, one, multiply).best_repetition_s() / chain;
    lines.figure("multiply_latency", multiplication_s / addition_s, "cycles", 1);
    const auto zero = [](int) { return 0.0F; };
    const double float_s = probe::run_bursts(cpus, 1, pace, zero, add_floats).best_repetition_s() / chain;
    lines.figure("float_add_latency", float_s / addition_s, "cycles", 1);
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) continue;
    const auto nought = [](int) { return 0.0; };
    const double product_s = probe::run_bursts(cpus, 1, pace, nought, add_products).best_repetition_s() / chain;
    lines.figure("fma_latency", product_s / addition_s, "cycles", 1);
#endif
  }
}
