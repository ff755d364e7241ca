/// A loop that all ranks run: once iterations take as long as those before, the rest is not simulated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftop::simulate {

/// What the loops of one place of the programs have in common. Ranks run at their own pace: some are iterations ahead
/// of others. All leave after the same iteration, the last that one of them has begun when the repetition is noticed;
/// since each would have taken as much longer, nothing changes between them.
///
/// Iterations repeat if three stretches of them, one after the other and each a third of what was simulated after the
/// first iteration, took equally long on average over the ranks, within three thousandths; and if ranks do not drift
/// apart. Ranks that wait for each other in turns jitter by a latency or two for ever, so no single one is looked at.
/// What jitters lies at the ends of a stretch: all three together are known three times as well as each.
class Repeats {
 public:
  Repeats(int ranks, std::int64_t times) : times_(times), begun_(static_cast<std::size_t>(ranks)), iterations_(1) {}

  /// A rank enters the loop at a time.
  void enter(double now) { iterations_[0].add(now); }
  /// It begins its next iteration. Returns false if it is to leave. Throws RequirementFailed after the most of them.
  bool begin(int rank);
  /// It has ended one.
  void end(int rank, double now);

  /// Iterations that were left out, and how long each would have taken.
  [[nodiscard]] std::int64_t left_out() const { return steady_ ? times_ - last_ : 0; }
  [[nodiscard]] double period_s() const { return period_s_; }
  [[nodiscard]] std::int64_t simulated() const { return steady_ ? last_ : times_; }
  [[nodiscard]] std::int64_t times() const { return times_; }
  /// Iterations that are simulated at most: each of them is kept.
  static constexpr std::int64_t most_simulated = 1 << 20;
  /// Whether a loop of that many iterations can be this one.
  [[nodiscard]] bool is_of(std::int64_t times) const { return times == times_; }

 private:
  struct Iteration {
    std::size_t ended = 0;
    double sum = 0, least = 0, most = 0;  ///< of the ranks' times at its end

    void add(double time);
    [[nodiscard]] double mean() const { return sum / static_cast<double>(ended); }
    [[nodiscard]] double spread() const { return most - least; }
  };

  /// Whether all have ended it, and nothing changes any more; sets the period.
  bool repeats(std::size_t iteration);
  [[nodiscard]] double took(std::size_t from, std::size_t until) const {
    return (iterations_[until].mean() - iterations_[from].mean()) / static_cast<double>(until - from);
  }

  std::int64_t times_, last_ = 0, most_begun_ = 0;
  double period_s_ = 0, widest_ = 0;  ///< spread of those that all have ended, without the last two
  bool steady_ = false;
  std::vector<std::int64_t> begun_;    ///< by rank
  std::vector<Iteration> iterations_;  ///< the first is the entry
};

}  // namespace rooftop::simulate
