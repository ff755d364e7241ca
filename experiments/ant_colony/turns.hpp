/// Which process a thread goes on with: of its own, the one that has fallen behind furthest, for a few of its months;
/// when its own are done, or taken, of all. What a process works on so stays in its thread's caches until near the end.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

#include "months.hpp"

namespace ants {

class Turns {
 public:
  /// So many at least for each process: what the last one still does alone is that part of its months, at most.
  static constexpr std::int64_t turns_of_process = 32;

  Turns(std::int64_t months, int threads)
      : months_(months), threads_(threads), long_(std::max<std::int64_t>(months / turns_of_process, 1)) {}

  /// As OpenMP's static schedule shares them.
  [[nodiscard]] static int owner(int process, int threads) {
    const int each = processes / threads, more = processes % threads;  // the first threads have one more
    const int first = more * (each + 1);
    return process < first ? process / (each + 1) : more + (process - first) / each;
  }

  struct Turn {
    int process;
    std::int64_t first, end;  ///< months
  };
  /// Empty where all that is left is others' turn.
  [[nodiscard]] std::optional<Turn> take(int thread) {
    const std::scoped_lock lock(mutex_);
    int chosen = furthest_behind([&](int process) { return owner(process, threads_) == thread; });
    if (chosen < 0) chosen = furthest_behind([](int) { return true; });
    if (chosen < 0) return {};
    taken_[at(chosen)] = true;
    const std::int64_t first = done_[at(chosen)];
    return Turn{chosen, first, std::min(first + long_, months_)};
  }
  void give_back(const Turn& turn) {
    const std::scoped_lock lock(mutex_);
    taken_[at(turn.process)] = false;
    done_[at(turn.process)] = turn.end;
  }

 private:
  /// -1: all are done, or taken.
  template <typename Condition>
  [[nodiscard]] int furthest_behind(const Condition& may) const {
    int chosen = -1;
    for (int process = 0; process < processes; ++process) {
      if (taken_[at(process)] || done_[at(process)] == months_ || !may(process)) continue;
      if (chosen < 0 || done_[at(process)] < done_[at(chosen)]) chosen = process;
    }
    return chosen;
  }

  std::int64_t months_;
  int threads_;
  std::int64_t long_;
  std::mutex mutex_;
  std::array<bool, processes> taken_{};
  std::array<std::int64_t, processes> done_{};
};

}  // namespace ants
