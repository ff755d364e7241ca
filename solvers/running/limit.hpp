/// How long a solver goes on: until its time is over or its caller asks it to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace rooftop::running {

/// One object that all threads of a solver look at, in loops that take longer than some milliseconds.
class Limit {
 public:
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  /// The time counts from now on. `stop` is null or the caller's flag: any thread or signal handler may set it to
  /// something else than 0, and setting it back changes nothing.
  Limit(double seconds, const std::int32_t* stop) : seconds_(seconds), flag_(stop), start_(Clock::now()) {}

  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stopped() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (flag_ == nullptr || __atomic_load_n(flag_, __ATOMIC_RELAXED) == 0) return false;
    stop();
    return true;
  }
  /// `late_s`: how long after the time something may still go on.
  [[nodiscard]] bool left(double late_s = 0) { return !stopped() && seconds() < seconds_ + late_s; }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_;
  const std::int32_t* flag_;
  Clock::time_point start_;
  std::atomic<bool> stopped_{false};
};

}  // namespace rooftop::running
