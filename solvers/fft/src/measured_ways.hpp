/// Ways that are found by timing runs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "ways.hpp"

namespace rooftop::fft::internal {

/// Runs a transform once.
using Trial = std::function<void()>;

/// Memory on a boundary of a cache line, which users' arrays should be on, too: zeros.
[[nodiscard]] std::shared_ptr<void> trial_memory(std::size_t bytes);

/// The trial of a plan: run(plan, scratch) runs it once.
template <class Plan, class Run>
[[nodiscard]] Trial trial_of(std::shared_ptr<const Plan> plan, Run run) {
  const std::shared_ptr<void> scratch = trial_memory(plan->scratch_bytes());
  return [plan = std::move(plan), scratch, run] { run(*plan, scratch.get()); };
}

/// A transform, as it is to be timed.
struct Candidate {
  Index bytes;     ///< of its complex values
  int dimensions;  ///< axes that are transformed and longer than 1
  int threads;     ///< at most
  Index cuts;      ///< of its one long line; 0: it has none
  /// Plans it with so many threads, to go about it in these ways.
  std::function<Trial(int threads, const Ways&)> plan;
};

/// A number of threads, and ways.
struct Measured {
  int threads;
  Ways ways;
};

/// Returns the fastest that was found. One decision after the other is changed, beginning with `first`, and stays so
/// where the transform became faster by more than the clock's noise.
[[nodiscard]] Measured measured_ways(const Candidate& candidate, const Measured& first);

/// From here on, whether something is faster is a matter of chance, not of the clock.
void leave_choices_to_chance_for_test(unsigned seed);

}  // namespace rooftop::fft::internal
