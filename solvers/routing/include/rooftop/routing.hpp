/// Short tours of travelling salesman problems, symmetric or not, within a given time.
///
/// Ants that are focused: each takes the colony's tour, breaks a few edges of it at one place, repairs that place by
/// exchanges of up to five edges among candidates of small alpha-nearness, and keeps what it did if the tour is
/// shorter, or longer by no more than a temperature allows, which falls until the end. Nothing that an ant does takes a
/// time that grows with the number of cities. Sources: R. Skinderowicz, "Improving Ant Colony Optimization efficiency
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

/// How the tour stands after some time.
struct Progress {
  double seconds;           ///< since solve() was called
  std::int64_t iterations;  ///< ants so far
  std::int64_t length;      ///< of the best tour
};

struct Options {
  double seconds = 10;          ///< the time for all of it, unless iterations are given; more than 0
  std::int64_t iterations = 0;  ///< ants in all; 0: as many as there is time for
  std::uint64_t seed = 1;       ///< with a number of iterations, the same result whatever the number of threads
  int threads = 0;              ///< 0: as many as OpenMP would take
  /// Told the best length now and then, from the thread that called solve(); false ends the search.
  std::function<bool(const Progress&)> watch;
  /// Shown the best tour's cities, as `order` below has them but from any city on, once it has become shorter and
  /// `show_every` seconds have passed. From that thread too; meanwhile nothing is searched.
  std::function<void(const Progress&, std::span<const std::int32_t> order)> show = nullptr;
  double show_every = 1;
  /// Or a flag of the caller's. Set to something else than 0, by any thread or signal handler, it ends the search
  /// within a fraction of a second, with what is known.
  const std::int32_t* stop = nullptr;
  /// Or all cities in the order of a tour to begin with, which has all fixed edges. No longer one is found.
  std::span<const std::int32_t> initial = {};
};

struct Solution {
  std::vector<std::int32_t> order;  ///< of all cities, from the first one's on
  std::int64_t length;
  double seconds;
  std::int64_t iterations;
  std::vector<Progress> history;  ///< each time the best tour became shorter, at most some hundreds of them
};

/// The tour has all fixed edges, in their direction where the problem is asymmetric. Throws InvalidInput where none
/// can, and for options out of range.
[[nodiscard]] Solution solve(const Instance& instance, const Options& options = {});

}  // namespace rooftop::routing
