/// How long a cache line takes from one processor to another: two pinned threads pass a counter to and fro.
///
/// In such a game one thread waits for the line all the time. In a program that shares a line it is asked for now and
/// then, and must be owned: the second figure is the time until a core has incremented a line that another core has
/// modified, a line after the other, the median of some rounds.
///
/// Each pair is timed on its own while the others rest. The figure is half a round trip, the best of several bursts.
/// Briefly, only neighbours are: enough to tell whether a hypervisor has moved them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "bursts.hpp"
#include "rooftop/probe_lines.hpp"

namespace {

struct alignas(128) Ball {  // 128: adjacent-line prefetch works on pairs of lines
  std::atomic<std::uint64_t> turn{0};
};

/// Thread 0 writes even turns and waits for odd ones, thread 1 the other way round.
void play(Ball& ball, int player, std::uint64_t& turn, std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round, turn += 2) {
    const std::uint64_t mine = turn + static_cast<std::uint64_t>(player);
    unsigned spins = 0;
    while (ball.turn.load(std::memory_order_acquire) != mine) {
      if (++spins > 100000) std::this_thread::yield();
    }
    ball.turn.store(mine + 1, std::memory_order_release);
  }
}

struct Player {
  Ball* ball;
  int number;
  std::uint64_t turn = 0;
};

constexpr std::size_t slots = 256;

/// The lines that go from one core to the other, the next line of which stays empty (adjacent-line prefetch).
struct Slots {
  std::array<Ball, slots> lines{};
  std::atomic<std::uint64_t> zero{0};
};

/// Increments every line, in an order without a pattern (a linear congruential generator of full period); where the
/// next one is depends on what was read, so that no two lines are on their way at once.
void take(Slots& all) {
  const std::uint64_t zero = all.zero.load(std::memory_order_relaxed);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    const std::uint64_t found = all.lines[at].turn.fetch_add(1, std::memory_order_relaxed);
    at = (1664525 * at + 1013904223 + (found & zero)) % slots;
  }
}

/// The median seconds of a line's way to the second of two processors.
double transfer_s(int first, int second, std::size_t rounds) {
  const auto all = std::make_unique<Slots>();
  std::vector<double> seconds(rounds);
  probe::SpinBarrier barrier(2);
  const auto body = [&](int cpu, bool timed) {
    probe::pin_to(cpu);
    for (double& round_s : seconds) {
      if (!timed) take(*all);
      barrier.wait();
      const auto start = probe::Clock::now();
      if (timed) {
        take(*all);
        round_s = probe::seconds_between(start, probe::Clock::now()) / slots;
      }
      barrier.wait();
    }
  };
  std::thread other(body, first, false);
  std::thread taker(body, second, true);
  other.join();
  taker.join();
  std::sort(seconds.begin(), seconds.end());
  return seconds[rounds / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("core_to_core");
  if (options.threads < 2) {
    lines.skip("core_to_core and line_transfer need two processors, and this process may use one");
    return 0;
  }
  const auto count = static_cast<std::size_t>(options.threads);
  // Beyond so many processors only pairs with the first one and neighbours are timed, to bound the time.
  const bool every_pair = count <= (options.quick ? 24 : 72);
  constexpr std::size_t brief_pairs = 16;
  const auto wanted = [&](std::size_t i, std::size_t j) {
    const bool neighbours = j == i + 1;
    return options.brief ? neighbours && i < brief_pairs : every_pair || i == 0 || neighbours;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      if (!wanted(i, j)) continue;
      const auto ball = std::make_unique<Ball>();
      probe::Pace pace{.burst_s = 5e-4, .min_bursts = 3, .max_bursts = options.quick ? 20 : 100, .budget_s = 0.05};
      const auto bursts = probe::run_bursts(
          {cpus[i], cpus[j]}, 2, pace,
          [&](int thread) {
            return Player{ball.get(), thread};
          },
          [](Player& player, std::uint64_t repetitions) {
            play(*player.ball, player.number, player.turn, repetitions * 100);
          });
      const std::size_t rounds = options.brief ? 21 : options.quick ? 41 : 201;
      lines.figure("line_transfer", transfer_s(cpus[i], cpus[j], rounds), "s", 2, {{"from", cpus[i]}, {"to", cpus[j]}});
      lines.figure("core_to_core", bursts.best_repetition_s() / 200, "s", 2, {{"from", cpus[i]}, {"to", cpus[j]}});
    }
  }
}
