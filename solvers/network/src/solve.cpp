#include <omp.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "check.hpp"
#include "colony.hpp"
#include "gaps.hpp"
#include "graph.hpp"
#include "rooftop/network.hpp"

namespace rooftop::network {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double watched_every = 0.1;  ///< seconds

/// `shipments` are named as they were given.
void require_ways(const Graph& graph, const std::vector<Shipment>& shipments) {
  for (std::size_t i = 0; i < shipments.size(); ++i) {
    if (graph.distance(0, graph.target(i), graph.problem().shipments[i].from) < infinite) continue;
    throw InvalidInput("no path leads from node " + std::to_string(shipments[i].from) + " to node " +
                       std::to_string(shipments[i].to) + " for shipment " + std::to_string(i) + "; expected one");
  }
}

std::vector<PlanOfPaths> front_of(const Archive& archive) {
  std::vector<PlanOfPaths> front;
  for (const Member& one : archive.members()) {
    front.push_back({one.plan.paths(), one.values, one.plan.overload_kg()});
  }
  std::sort(front.begin(), front.end(), [](const PlanOfPaths& a, const PlanOfPaths& b) { return a.values < b.values; });
  return front;
}

}  // namespace

Solution solve(const Problem& problem, const Options& options) {
  const Clock::time_point start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  check(problem, options);
  const int threads = options.threads == 0 ? omp_get_max_threads() : options.threads;
  const std::optional<Problem> gapless = without_gaps(problem);
  const Graph graph(gapless ? *gapless : problem, threads);
  require_ways(graph, problem.shipments);
  const bool counted = options.iterations > 0;
  const auto left = [&] { return counted || seconds() < options.seconds; };
  std::int64_t iterations = 0;
  bool stopped = false;
  double told = -watched_every;
  Colony colony(graph, options, threads);
  const auto tell = [&](bool now) {
    if (!options.watch || stopped || (!now && seconds() < told + watched_every)) return;
    told = seconds();
    const Archive& archive = colony.archive();
    const std::vector<double> points = archive.points();
    const auto plans = static_cast<std::int32_t>(archive.members().size());
    stopped = !options.watch({told, iterations, archive.overload_kg(), plans, points});
  };
  colony.begin(left);
  tell(true);
  while (!stopped && left() && (!counted || iterations < options.iterations)) {
    const std::int64_t ants = counted ? options.iterations - iterations : std::numeric_limits<std::int64_t>::max();
    iterations += colony.round(ants, left);
    tell(false);
  }
  tell(true);
  return {front_of(colony.archive()), seconds(), iterations};
}

}  // namespace rooftop::network
