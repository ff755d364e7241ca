/// Which process a thread goes on with: the one that has fallen behind furthest, for a few of its months.
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

  explicit Turns(std::int64_t months) : months_(months), long_(std::max<std::int64_t>(months / turns_of_process, 1)) {}

  struct Turn {
    int process;
    std::int64_t first, end;  ///< months
  };
  /// Empty where all that is left is others' turn.
  [[nodiscard]] std::optional<Turn> take() {
    const std::scoped_lock lock(mutex_);
    int chosen = -1;
    for (int process = 0; process < processes; ++process) {
      if (taken_[at(process)] || done_[at(process)] == months_) continue;
      if (chosen < 0 || done_[at(process)] < done_[at(chosen)]) chosen = process;
    }
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
  std::int64_t months_, long_;
  std::mutex mutex_;
  std::array<bool, processes> taken_{};
  std::array<std::int64_t, processes> done_{};
};

}  // namespace ants
