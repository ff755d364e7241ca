/// Plans of a directed transport network with several objectives: every shipment of every month takes one path, and
/// those that share an arc in a month share its vehicles.
///
/// Ant colonies with one trail (pheromone) for each objective, superposed with the weights of the ant that reads them.
/// An ant takes a plan of the front, lifts a few shipments that share an arc, and finds them new paths. Sources:
/// I. Alaya, C. Solnon, K. Ghedira, "Ant colony optimization for multi-objective optimization problems" (2007), for a
/// trail for each objective; C. Blum, M. Dorigo, "The hyper-cube framework for ant colony optimization" (2004), for
/// trails between 0 and 1; E. Zitzler, M. Laumanns, L. Thiele, "SPEA2" (2001), for what is left out of a full archive.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace rooftop::network {

/// What is wrong with a problem or an option, the value seen, and what is expected: one line.
class InvalidInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The time was over, or the caller's flag set, before there was a plan.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int32_t most_objectives = 16;

/// So many kilograms from one node to another in a month, on one path.
struct Shipment {
  std::int32_t month, from, to;
  std::int64_t kg;
};

/// A network, in which objective o of an arc is, for each month, per_vehicle times the vehicles plus per_kg times the
/// load; of a load there are ceil(load / payload) vehicles. Each figure is 0, or 1e-100 to 1e100.
struct Problem {
  std::int32_t nodes = 0, months = 0, objectives = 0;
  std::vector<std::int32_t> tail, head;     ///< [arcs] from 0
  std::vector<std::int64_t> capacity_kg;    ///< [arcs] in each month
  std::int64_t payload_kg = 0;              ///< of a vehicle
  std::vector<double> per_vehicle, per_kg;  ///< [objectives][arcs]
  std::vector<Shipment> shipments;
};

/// How the front stands after some time.
struct Progress {
  double seconds;                     ///< since solve() was called
  std::int64_t iterations;            ///< ants so far
  std::int64_t overload_kg;           ///< beyond capacities: 0 as soon as a plan keeps all of them
  std::int32_t plans;                 ///< on the front
  const std::vector<double>& points;  ///< [plans][objectives]
};

/// Which trails ants read and leave.
enum class Trails {
  superposed,  ///< one for each objective, left by the plan that is best in it, added with the ant's weights
  combined,    ///< one for all, left by the plan of the smallest sum
};

struct Options {
  double seconds = 10;          ///< the time for all of it, unless iterations are given; more than 0
  std::int64_t iterations = 0;  ///< ants in all; 0: as many as there is time for
  std::uint64_t seed = 1;       ///< with a number of iterations, the same result whatever the number of threads
  int threads = 0;              ///< 0: as many as OpenMP would take
  std::int32_t plans = 100;     ///< at most, on the front
  Trails trails = Trails::superposed;
  std::vector<double> weights;  ///< [objectives], not negative: where a quarter of the ants look; empty: all alike
  /// Told the front now and then, from the thread that called solve(); false ends the search.
  std::function<bool(const Progress&)> watch;
  /// Or a flag of the caller's. Set to something else than 0, by any thread or signal handler, it ends the search
  /// within a fraction of a second, with what is known.
  const std::int32_t* stop = nullptr;
};

using Path = std::vector<std::int32_t>;  ///< arcs, in the order travelled

struct PlanOfPaths {
  std::vector<Path> paths;     ///< [shipments]
  std::vector<double> values;  ///< [objectives]
  std::int64_t overload_kg;    ///< beyond capacities, over all arcs and months
};

struct Solution {
  std::vector<PlanOfPaths>
      front;  ///< none dominates another; where no plan keeps the capacities, the nearest to it alone
  double seconds;
  std::int64_t iterations;
};

/// Throws InvalidInput for a problem or options that make no sense, and for a shipment that no path carries; Stopped
/// where there was no time for a plan.
[[nodiscard]] Solution solve(const Problem& problem, const Options& options = {});

}  // namespace rooftop::network
