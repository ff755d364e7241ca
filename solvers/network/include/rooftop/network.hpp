/// Multi-objective planning of a directed transport network. Every shipment of every month takes one path, and
/// shipments that share an arc in a month share its vehicles.
///
/// Ant colony optimization with one pheromone trail for each objective; each ant combines the trails by its weights. It
/// takes a plan of the front, removes a few shipments that share an arc, and finds new paths for them. Sources:
/// I. Alaya, C. Solnon, K. Ghedira, "Ant colony optimization for multi-objective optimization problems" (2007), for a
/// trail for each objective; C. Blum, M. Dorigo, "The hyper-cube framework for ant colony optimization" (2004), for
/// trails between 0 and 1; E. Zitzler, M. Laumanns, L. Thiele, "SPEA2" (2001), for truncating a full archive.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace rooftop::network {

/// Invalid problem or option. what() is one line: what is wrong, the value seen, and what is expected.
class InvalidInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The time limit or the stop flag ended the search before it had a plan.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int32_t most_objectives = 16;

/// A weight to carry from one node to another in a month, on one path.
struct Shipment {
  std::int32_t month, from, to;
  std::int64_t kg;
};

/// A network and its shipments. In each month, an arc adds per_vehicle * vehicles + per_kg * load to an objective,
/// where vehicles = ceil(load / payload). Coefficients are 0, or from 1e-100 to 1e100.
struct Problem {
  std::int32_t nodes = 0, months = 0, objectives = 0;
  std::vector<std::int32_t> tail, head;     ///< [arcs] from 0
  std::vector<std::int64_t> capacity_kg;    ///< [arcs] in each month
  std::int64_t payload_kg = 0;              ///< of a vehicle
  std::vector<double> per_vehicle, per_kg;  ///< [objectives][arcs]
  std::vector<Shipment> shipments;
};

/// Progress of a search.
struct Progress {
  double seconds;                     ///< since solve() was called
  std::int64_t iterations;            ///< ants so far
  std::int64_t overload_kg;           ///< weight beyond capacities; 0 once a plan keeps all of them
  std::int32_t plans;                 ///< on the front
  const std::vector<double>& points;  ///< [plans][objectives]
};

/// Pheromone trails that ants read and deposit.
enum class Trails {
  superposed,  ///< one per objective, deposited by its best plan; an ant adds them with its weights
  combined,    ///< one for all objectives, deposited by the plan with the smallest sum
};

struct Options {
  double seconds = 10;          ///< time limit, above 0; ignored if iterations are given
  std::int64_t iterations = 0;  ///< number of ants; 0: until the time is over
  std::uint64_t seed = 1;       ///< with iterations, determines the result for any number of threads
  int threads = 0;              ///< 0: OpenMP's default
  std::int32_t plans = 100;     ///< maximum number of plans on the front
  Trails trails = Trails::superposed;
  std::vector<double> weights;  ///< [objectives], 0 or more: direct a quarter of the ants; empty: equal weights
  /// Called regularly on the thread that called solve(). Return false to end the search.
  std::function<bool(const Progress&)> watch;
  /// Optional flag. A value other than 0, which any thread or signal handler may write, ends the search within a
  /// fraction of a second; the best result so far is returned.
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
      front;  ///< no plan dominates another; if none keeps the capacities, only the one with the least overload
  double seconds;
  std::int64_t iterations;
};

/// Searches for the Pareto front. Throws InvalidInput for an invalid problem or option, or a shipment that no path can
/// carry; Stopped if the search ended before it had a plan.
[[nodiscard]] Solution solve(const Problem& problem, const Options& options = {});

}  // namespace rooftop::network
