/// Short bursts of the same work on pinned threads that start together; the slowest thread counts.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "processors.hpp"

namespace probe {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Spins, because a thread woken by the kernel starts tens of microseconds late; yields where cores are overcommitted.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void wait() {
    const unsigned generation = generation_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.fetch_add(1, std::memory_order_acq_rel);
      return;
    }
    for (unsigned spins = 0; generation_.load(std::memory_order_acquire) == generation; ++spins) {
      if (spins > 20000) std::this_thread::yield();
    }
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> generation_{0};
};

/// How long one burst lasts and how many are taken.
struct Pace {
  double burst_s = 2e-3;   ///< at least this long, by repeating the work
  int min_bursts = 3;      ///< at least this many
  int max_bursts = 20;     ///< at most this many
  double budget_s = 0.05;  ///< no further burst after this, once min_bursts are taken
};

struct Bursts {
  std::uint64_t repetitions = 0;  ///< of the work in one burst, per thread
  std::vector<double> elapsed_s;  ///< per burst: from the first thread's start to the last thread's end
  [[nodiscard]] double best_s() const { return *std::min_element(elapsed_s.begin(), elapsed_s.end()); }
  /// Seconds for one repetition in the best burst.
  [[nodiscard]] double best_repetition_s() const { return best_s() / static_cast<double>(repetitions); }
};

/// `prepare(thread)` makes each thread's own data on its own processor; `work(data, repetitions)` is timed.
/// Rethrows what a thread's `prepare` threw, once all threads have left.
template <typename Prepare, typename Work>
Bursts run_bursts(const std::vector<int>& cpus, int threads, const Pace& pace, Prepare prepare, Work work) {
  Bursts result;
  SpinBarrier barrier(threads);
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::vector<Clock::time_point> starts(static_cast<std::size_t>(threads));
  std::vector<Clock::time_point> ends(static_cast<std::size_t>(threads));
  std::uint64_t repetitions = 1;
  bool calibrating = true;
  bool done = false;
  Clock::time_point first_burst;

  const auto judge = [&] {
    const double elapsed_s =
        seconds_between(*std::min_element(starts.begin(), starts.end()), *std::max_element(ends.begin(), ends.end()));
    if (calibrating && elapsed_s < pace.burst_s) {
      const double missing = pace.burst_s / std::max(elapsed_s, 1e-7);
      repetitions *= missing > 16 ? 8 : 2;
      return;
    }
    if (calibrating) {
      calibrating = false;
      first_burst = Clock::now();
    }
    result.repetitions = repetitions;
    result.elapsed_s.push_back(elapsed_s);
    const int count = static_cast<int>(result.elapsed_s.size());
    done = count >= pace.max_bursts ||
           (count >= pace.min_bursts && seconds_between(first_burst, Clock::now()) > pace.budget_s);
  };

  const auto body = [&](int thread) {
    const auto index = static_cast<std::size_t>(thread);
    pin_to(cpus[index % cpus.size()]);
    std::optional<decltype(prepare(thread))> data;
    try {
      data.emplace(prepare(thread));
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
    barrier.wait();
    if (failed) return;
    while (!done) {
      barrier.wait();
      starts[index] = Clock::now();
      work(*data, repetitions);
      ends[index] = Clock::now();
      barrier.wait();
      if (thread == 0) judge();
      barrier.wait();
    }
  };

  std::vector<std::thread> team;
  team.reserve(static_cast<std::size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) team.emplace_back(body, thread);
  for (auto& member : team) member.join();
  if (failure) std::rethrow_exception(failure);
  return result;
}

/// {1, N}, or only {N} where one thread is all or the campaign asks for N alone.
inline std::vector<int> team_sizes(int threads, bool brief) {
  return threads == 1 || brief ? std::vector<int>{threads} : std::vector<int>{1, threads};
}

}  // namespace probe
