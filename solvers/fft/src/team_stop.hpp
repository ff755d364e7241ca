/// How a team of threads stops when its caller asks.
#pragma once

#include <atomic>

#include "limit.hpp"

namespace rooftop::fft::internal {

/// A caller's wish to stop, which all threads of a team that meets at barriers learn at the same place.
class TeamStop {
 public:
  /// `limit` is null where nobody may stop it.
  explicit TeamStop(running::Limit* limit) : limit_(limit) {}

  [[nodiscard]] running::Limit* limit() const { return limit_; }
  /// Called by all threads, which meet at a barrier here and, before they call it again, at another one.
  [[nodiscard]] bool stopped(int thread) {
    if (limit_ == nullptr) return false;
    if (thread == 0 && limit_->stopped()) stopped_.store(true, std::memory_order_relaxed);
#pragma omp barrier
    return stopped_.load(std::memory_order_relaxed);
  }

 private:
  running::Limit* limit_;
  std::atomic<bool> stopped_{false};
};

}  // namespace rooftop::fft::internal
