/// What the colonies of all rungs that build whole tours have alike.
#pragma once

#include <rooftop/clock.hpp>
#include <rooftop/random.hpp>

#include "problem.hpp"

namespace ants {

/// The source's iteration processes: each has pheromones of its own, and sends out a group of ants a month.
inline constexpr int processes = 8;
inline constexpr int ants_of_group = 8;
inline std::int64_t months(const Problem& p) { return p.tours / (processes * ants_of_group); }

/// Choice is by pheromone * (1 / distance)^5: M. Dorigo, T. Stuetzle, "Ant Colony Optimization", 2004, has exponents of
/// 2 to 5. Months are few, so pheromones follow fast: a process's best tour draws them to 1, all others fade to 0.01.
inline constexpr double evaporation = 0.2;
inline constexpr double least_pheromone = 0.01;
inline constexpr double first_pheromone = 1;

/// Scaled so that single precision holds it for any two cities: cities at one place are as if half a unit apart.
inline double attraction(double distance) {
  const double near = 1000 / (distance < 0.5 ? 0.5 : distance);
  return near * near * (near * near) * near;
}

/// An ant's random numbers, by month, process and ant: the same tours whatever the number of threads.
class Chance {
 public:
  Chance(const Problem& p, std::int64_t month, int process, int ant)
      : stream_(p.seed * 0x100000001B3U +
                static_cast<std::uint64_t>((month * processes + process) * ants_of_group + ant)) {}
  /// Uniform in [0, 1), a multiple of 2^-24.
  float next() { return static_cast<float>(stream_.bits(drawn_++) >> 40U) * 0x1p-24F; }
  /// Uniform from 0 to less than `count`, which is below 2^31.
  City below(City count) {
    return static_cast<City>((stream_.bits(drawn_++) >> 32U) * static_cast<std::uint64_t>(count) >> 32U);
  }

 private:
  rooftop::RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

/// What the threads of one month waited for its slowest.
class MonthClock {
 public:
  explicit MonthClock(int threads) : threads_(threads) {}
  /// By each thread, when it has no more to do.
  void done() {
    const std::int64_t now = rooftop::now_ns();
    sum_ += now;
    for (std::int64_t seen = last_; now > seen && !last_.compare_exchange_weak(seen, now);) continue;
  }
  [[nodiscard]] std::int64_t waited_ns() const { return threads_ * last_ - sum_; }

 private:
  int threads_;
  std::atomic<std::int64_t> sum_{0}, last_{0};
};

}  // namespace ants
