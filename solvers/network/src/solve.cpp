#include <omp.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "check.hpp"
#include "colony.hpp"
#include "gaps.hpp"
#include "graph.hpp"
#include "limit.hpp"
#include "rooftop/network.hpp"
#include "router.hpp"

namespace rooftop::network {
namespace {

constexpr double watched_every = 0.1;  ///< seconds
/// What must be known before there is a plan may still take so long when the time is over.
constexpr double late_s = 0.2;

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

/// Where there is time for no other one.
PlanOfPaths straight_plan(const Graph& graph) {
  Router router(graph);
  Plan plan(graph);
  for (std::size_t i = 0; i < graph.problem().shipments.size(); ++i) plan.place(i, router.straight(i));
  return {plan.paths(), plan.values(), plan.overload_kg()};
}

}  // namespace

Solution solve(const Problem& problem, const Options& options) {
  check(problem, options);
  const bool counted = options.iterations > 0;
  running::Limit limit(counted ? running::Limit::no_limit : options.seconds, options.stop);
  const auto left = [&] { return limit.left(); };
  const int threads = options.threads == 0 ? omp_get_max_threads() : options.threads;
  const std::optional<Problem> gapless = without_gaps(problem);
  const Graph graph(gapless ? *gapless : problem, threads, [&] { return limit.left(late_s); });
  require_ways(graph, problem.shipments);
  if (graph.measured() < graph.objectives()) return {{straight_plan(graph)}, limit.seconds(), 0};
  std::int64_t iterations = 0;
  double told = -watched_every;
  Colony colony(graph, options, threads);
  const auto tell = [&](bool now) {
    if (!options.watch || limit.stopped() || (!now && limit.seconds() < told + watched_every)) return;
    told = limit.seconds();
    const Archive& archive = colony.archive();
    const std::vector<double> points = archive.points();
    const auto plans = static_cast<std::int32_t>(archive.members().size());
    if (!options.watch({told, iterations, archive.overload_kg(), plans, points})) limit.stop();
  };
  colony.begin(left);
  tell(true);
  while (left() && (!counted || iterations < options.iterations)) {
    const std::int64_t ants = counted ? options.iterations - iterations : std::numeric_limits<std::int64_t>::max();
    iterations += colony.round(ants, left);
    tell(false);
  }
  tell(true);
  return {front_of(colony.archive()), limit.seconds(), iterations};
}

}  // namespace rooftop::network
