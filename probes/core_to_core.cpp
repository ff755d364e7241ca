/// How long a cache line takes from one processor to another: two pinned threads pass a counter to and fro.
///
/// Each pair is timed on its own while the others rest. The figure is half a round trip, the best of several bursts.
/// Briefly, only neighbours are: enough to tell whether a hypervisor has moved them.
#include <atomic>
#include <cstdint>
#include <memory>
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

}  // namespace

int main(int argc, char** argv) {
  const auto cpus = probe::usable_processors();
  const auto options = rooftop::parse_probe_options(argc, argv, static_cast<int>(cpus.size()));
  const rooftop::ProbeLines lines("core_to_core");
  if (options.threads < 2) {
    lines.skip("core_to_core needs two processors, and this process may use one");
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
      lines.figure("core_to_core", bursts.best_repetition_s() / 200, "s", 2, {{"from", cpus[i]}, {"to", cpus[j]}});
    }
  }
}
