/// Short tours of travelling salesman problems, symmetric or not, within a given time.
///
/// Focused ant colony optimization. Each ant perturbs a few neighbouring edges of the colony's tour, repairs them by
/// exchanges of up to five edges among candidates of small alpha-nearness, and keeps the change if the tour is shorter,
/// or longer by no more than the temperature allows, which falls until the end. The time that an ant takes does not
/// grow with the number of cities. Sources: R. Skinderowicz, "Improving Ant Colony Optimization efficiency
/// for solving large TSP instances" (2022), for the focus; K. Helsgaun, "An effective implementation of the
/// Lin-Kernighan traveling salesman heuristic" (2000), for exchanges and candidates; O. Martin, S. Otto, E. Felten,
/// "Large-step Markov chains for the traveling salesman problem" (1991), for the temperature.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

/// Progress of a search.
struct Progress {
  double seconds;           ///< since solve() was called
  std::int64_t iterations;  ///< ants so far
  std::int64_t length;      ///< of the best tour
};

struct Options {
  double seconds = 10;          ///< time limit, above 0; ignored if iterations are given
  std::int64_t iterations = 0;  ///< number of ants; 0: until the time is over
  std::uint64_t seed = 1;       ///< with iterations, determines the result for any number of threads
  int threads = 0;              ///< 0: OpenMP's default
  /// Called regularly on the thread that called solve(). Return false to end the search.
  std::function<bool(const Progress&)> watch;
  /// Called on the same thread with the best tour, whose order starts at any city, when it has become shorter and
  /// `show_every` seconds have passed. The search waits until it returns.
  std::function<void(const Progress&, std::span<const std::int32_t> order)> show = nullptr;
  double show_every = 1;
  /// Optional flag. A value other than 0, which any thread or signal handler may write, ends the search within a
  /// fraction of a second; the best result so far is returned.
  const std::int32_t* stop = nullptr;
  /// Optional tour of all cities to start from, with all fixed edges. The result is never longer.
  std::span<const std::int32_t> initial = {};
};

struct Solution {
  std::vector<std::int32_t> order;  ///< all cities, starting at city 0
  std::int64_t length;
  double seconds;
  std::int64_t iterations;
  std::vector<Progress> history;  ///< improvements of the best tour, at most a few hundred
};

/// Searches for a short tour. It has all fixed edges, in their direction if the problem is asymmetric. Throws
/// InvalidInput if no tour can have them all, or if an option is out of range.
[[nodiscard]] Solution solve(const Instance& instance, const Options& options = {});

}  // namespace rooftop::routing
