/// Short tours of the symmetric travelling salesman problem, found by colonies of ants.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ants {

using City = std::int32_t;
using Length = std::int64_t;

/// What a rung tells about its last run, beside its result, and of construction about all its runs. Times are sums over
/// threads.
struct Ledger {
  std::atomic<std::int64_t> construction_ns{0};  ///< building tours from pheromones, step by step
  std::atomic<std::int64_t> construction_steps{0};
  std::atomic<std::int64_t> serial_ns{0};      ///< the main thread's, while the others have nothing to do
  std::atomic<std::int64_t> waiting_ns{0};     ///< for the month's slowest thread
  std::atomic<std::int64_t> allocation_ns{0};  ///< within the allocator, estimated; only while `timed`
  std::atomic<std::int64_t> allocations{0};
  std::atomic<std::int64_t> memory_bytes{0};  ///< for pheromones, lists and ants
  bool timed = false;                         ///< the run is verified, not timed: some allocations may be

  /// Before a run that is verified. A step's time is told as the mean of all runs, those that were timed too: one alone
  /// differs by a third from the next where others share the caches.
  void clear() {
    for (auto* each : {&serial_ns, &waiting_ns, &allocation_ns, &allocations, &memory_bytes}) each->store(0);
  }
};

/// `tours` tours are to be made, by rungs that change one of them everywhere or at one place, and the shortest given.
///
/// Where ranks share the work, rank 0 gives it: tour and length of the others are not looked at.
struct Problem {
  City cities;         ///< at least 8
  std::int64_t tours;  ///< a multiple of 64
  std::uint64_t seed;  ///< of the ants' random numbers
  int threads;         ///< of each rank
  const double* x;     ///< `cities` whole numbers from 0 to 1 000 000
  const double* y;
  City* tour;      ///< `cities` values: the shortest tour's order
  Length* length;  ///< what the rung takes that tour's length for
  Ledger* ledger;
  int rank = 0, ranks = 1;
};

/// EUC_2D of TSPLIB 95: the Euclidean distance, to the nearest whole number.
inline Length distance(const Problem& p, City a, City b) {
  const double dx = p.x[a] - p.x[b], dy = p.y[a] - p.y[b];
  return static_cast<Length>(std::sqrt(dx * dx + dy * dy) + 0.5);
}

/// Of the closed tour through `cities` cities.
inline Length tour_length(const Problem& p, const City* tour) {
  Length sum = distance(p, tour[p.cities - 1], tour[0]);
  for (City i = 1; i < p.cities; ++i) sum += distance(p, tour[i - 1], tour[i]);
  return sum;
}

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace ants
