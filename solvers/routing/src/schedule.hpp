/// Which threads see to what, where several colonies go through some rounds each, apart from one another.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "city.hpp"

namespace rooftop::routing {

/// Hands out a round's regions at once, and the next round's of the same colony when all of them are back and gathered.
/// A thread that is done with one colony's region goes on with another colony's, so that few wait at a round's end.
/// Colonies know nothing of one another: who takes what changes the time and nothing else.
class Schedule {
 public:
  Schedule(std::size_t colonies, City regions, int rounds);

  struct Shift {
    std::size_t colony;
    int round;
    City region;
  };
  /// Waits where all that can be done is others', without sleeping, for it takes less than waking up; empty when all is
  /// done, or will be by those who are at it.
  [[nodiscard]] std::optional<Shift> take();
  /// Whether this was the last region of its colony's round: whoever is told so gathers, and says so by gathered().
  [[nodiscard]] bool give_back(const Shift& shift);
  void gathered(const Shift& shift);

 private:
  struct Progress {
    int round = 0;
    City handed_out = 0, back = 0;
  };

  City regions_;
  int rounds_;
  std::mutex mutex_;
  std::vector<Progress> of_;               ///< colonies
  std::atomic<unsigned> ended_rounds_{0};  ///< which those who wait look at
};

}  // namespace rooftop::routing
