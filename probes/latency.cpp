/// Load latency of every cache level and of memory: a chase of pointers in random order, one core and all at once.
///
/// The chain visits each cache line of its working set once per round (Sattolo's cycle), so that no prefetcher can
/// guess the next one. Many such chains at once show how often a miss of memory can end: a latency over the number of
/// misses that the core has under way (Little's law). Huge pages are asked for: without them the larger sets would
/// measure the TLB as well. Source: L. McVoy, C. Staelin, "lmbench: Portable Tools for Performance Analysis", USENIX
/// 1996.
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "bursts.hpp"
#include "levels.hpp"
#include "pages.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

struct alignas(64) Line {
  Line* next;
};

/// Links the lines into one random cycle (S. Sattolo, 1986) and returns its first line.
Line* link(Line* lines, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::minstd_rand random(12345);
  for (std::size_t i = count - 1; i > 0; --i) {
    std::swap(order[i], order[std::uniform_int_distribution<std::size_t>(0, i - 1)(random)]);
  }
  for (std::size_t i = 0; i < count; ++i) lines[i].next = &lines[order[i]];
  return lines;
}

constexpr std::uint64_t hops_per_repetition = 1024;

void chase(Line*& at, std::uint64_t repetitions) {
  Line* line = at;
  for (std::uint64_t hop = 0; hop < repetitions * hops_per_repetition; hop += 16) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) line = line->next;
  }
  at = line;
  asm volatile("" ::"r"(line));
}

/// So many chains at once that a core waits for as many lines as it can: more than the 10 to 48 misses that are under
/// way at once on cores of today.
constexpr std::size_t most_chains = 64;
using Chains = std::array<Line*, most_chains>;

void chase_all(Chains& at, std::uint64_t repetitions) {
  for (std::uint64_t hop = 0; hop < repetitions * hops_per_repetition; hop += most_chains) {
#pragma GCC unroll 16
    for (Line*& line : at) line = line->next;
    asm volatile("" : "+m"(at));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("latency");
  for (const int threads : probe::team_sizes(options.threads, options.brief)) {
    for (const auto& level : probe::working_sets(cpus, threads)) {
      if (const auto objection = probe::objection(level); !objection.empty()) {
        lines.skip("latency of memory: " + objection);
        continue;
      }
      const std::size_t count = level.thread_bytes / sizeof(Line);
      std::vector<probe::Pages> blocks;
      for (int thread = 0; thread < threads; ++thread) {
        blocks.emplace_back(level.thread_bytes, probe::PageSize::huge);
      }
      probe::Pace pace;
      pace.max_bursts = 1000;
      pace.budget_s = options.quick ? 0.1 : 0.6;
      const auto prepare = [&](int thread) {
        Line* const first = link(reinterpret_cast<Line*>(blocks[static_cast<std::size_t>(thread)].data()), count);
        for (Line* line = first->next; level.level != "memory" && line != first; line = line->next) {
          asm volatile("" ::"r"(line));  // one round, so that a cache holds its lines
        }
        return first;
      };
      const auto bursts = probe::run_bursts(cpus, threads, pace, prepare, chase);
      rooftop::ProbeFields more = {{"level", level.level},
                                   {"bytes", count * sizeof(Line) * static_cast<std::size_t>(threads)},
                                   {"bursts", bursts.elapsed_s.size()}};
      if (level.over_below > 0) more.emplace_back("over_level_below", level.over_below);
      lines.figure("latency", bursts.best_repetition_s() / hops_per_repetition, "s", threads, more);
      if (threads > 1 || level.level != "memory") continue;
      const auto start = [&](int) {
        auto* const first = reinterpret_cast<Line*>(blocks.front().data());
        Chains at{};  // equally far apart in memory: in random places of the one cycle
        for (std::size_t i = 0; i < most_chains; ++i) at[i] = first + i * (count / most_chains);
        return at;
      };
      const auto together = probe::run_bursts(cpus, 1, pace, start, chase_all);
      lines.figure("miss_interval", together.best_repetition_s() / hops_per_repetition, "s", 1, more);
    }
  }
}
