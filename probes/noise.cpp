/// The A/A noise floor: the same fixed work timed in pairs, as the bench times two programs that do not differ.
///
/// For each pair, |ln(first / second)|. Printed are its median and the value that 95 % of the pairs stay under: an
/// effect smaller than that needs many pairs to be told from nothing. Work in registers and work on memory drift
/// differently.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bursts.hpp"
#include "levels.hpp"
#include "pages.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

/// A chain of dependent multiply-adds in registers: its time depends on the clock and on interruptions alone.
void compute(double& value, std::uint64_t repetitions) {
  double x = value;
  for (std::uint64_t i = 0; i < repetitions * 1000; ++i) x = x * 0.999 + 1e-3;
  value = x;
  asm volatile("" ::"m"(value));
}

struct Array {
  const std::uint64_t* data;
  std::size_t count;
};

/// One read of each cache line.
void stream(const Array& array, std::uint64_t repetitions) {
  std::uint64_t sum = 0;
  for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < array.count; i += 8) sum ^= array.data[i];
    asm volatile("" ::"r"(sum) : "memory");
  }
}

/// |log-ratio| of each pair of neighbouring bursts, in ascending order.
std::vector<double> differences(const std::vector<double>& elapsed_s) {
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < elapsed_s.size(); i += 2) {
    result.push_back(std::abs(std::log(elapsed_s[i] / elapsed_s[i + 1])));
  }
  std::sort(result.begin(), result.end());
  return result;
}

void print(const rooftop::ProbeLines& lines, const std::vector<double>& elapsed_s, int threads,
           rooftop::ProbeFields more) {
  constexpr double least = 1e-9;  // two readings may be equal to the tick; a figure is positive
  const auto sorted = differences(elapsed_s);
  const auto pairs = sorted.size();
  more.emplace_back("pairs", pairs);
  lines.figure("aa_noise", std::max(least, sorted[std::min(pairs - 1, pairs * 95 / 100)]), "1", threads, more);
  lines.figure("aa_noise_median", std::max(least, sorted[pairs / 2]), "1", threads, more);
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("noise");
  probe::Pace pace;
  pace.min_bursts = 24;
  pace.max_bursts = options.quick ? 400 : 2000;
  pace.budget_s = options.quick ? 0.8 : 4;
  for (const int threads : probe::team_sizes(options.threads, options.brief)) {
    const auto registers = probe::run_bursts(
        cpus, threads, pace, [](int) { return 1.0; }, compute);
    print(lines, registers.elapsed_s, threads, {{"work", "compute"}});
    const auto memory = probe::working_sets(cpus, threads).back();
    if (const auto objection = probe::objection(memory); !objection.empty()) {
      lines.skip("noise of memory: " + objection);
      continue;
    }
    std::vector<probe::Pages> blocks;
    for (int thread = 0; thread < threads; ++thread) {
      blocks.emplace_back(memory.thread_bytes, probe::PageSize::huge);
    }
    const auto prepare = [&](int thread) {
      auto* const data = reinterpret_cast<std::uint64_t*>(blocks[static_cast<std::size_t>(thread)].data());
      const std::size_t count = memory.thread_bytes / sizeof(std::uint64_t);
      std::fill_n(data, count, 1);
      return Array{data, count};
    };
    const auto streams = probe::run_bursts(cpus, threads, pace, prepare, stream);
    const auto bytes = memory.thread_bytes * static_cast<std::size_t>(threads);
    print(lines, streams.elapsed_s, threads, {{"work", "memory"}, {"level", "memory"}, {"bytes", bytes}});
  }
}
