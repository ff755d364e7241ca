// Any problem and options through the C interface: statuses with a message of one line, or plans whose paths lead from
// where they begin to where they end. Networks and searches are small.
#include <cmath>
#include <cstdlib>
#include <draw.hpp>
#include <string>
#include <vector>

#include "rooftop/network.h"

namespace {

using rooftop::fuzzing::Draw;

void require(bool kept) {
  if (!kept) std::abort();
}

bool fine(int status) {
  constexpr int stopped = 4;  // the time was over before there was a plan
  if (status == ROOFTOP_NETWORK_OK) return true;
  require(status == ROOFTOP_NETWORK_INVALID_ARGUMENT || status == stopped);
  const std::string said = rooftop_network_last_error();
  require(!said.empty());
  for (const char c : said) require(c >= ' ' && c <= '~');
  return false;
}

/// A problem's arrays, each of exactly the length that its counts tell where these are counts at all.
struct Network {
  explicit Network(Draw& draw);

  rooftop_network_problem told{};
  std::vector<std::int32_t> tail, head, month, origin, destination;
  std::vector<std::int64_t> capacity_kg, kg;
  std::vector<double> per_vehicle, per_kg;
};

template <typename Value>
const Value* maybe_null(Draw& draw, const std::vector<Value>& values) {
  return draw.rarely(64) ? nullptr : values.data();
}

Network::Network(Draw& draw) {
  const auto nodes = draw.within<std::int32_t>(2, 8), arcs = draw.within<std::int32_t>(0, 14);
  const auto objectives = draw.within<std::int32_t>(1, 3), shipments = draw.within<std::int32_t>(0, 6);
  const auto months = draw.within<std::int32_t>(1, 3);
  for (std::int32_t arc = 0; arc < arcs; ++arc) {
    const bool in_a_ring = arc < nodes;
    tail.push_back(in_a_ring ? arc : draw.integer<std::int32_t>(0, nodes - 1));
    head.push_back(in_a_ring ? (arc + 1) % nodes : draw.integer<std::int32_t>(0, nodes - 1));
    capacity_kg.push_back(draw.integer<std::int64_t>(0, 1000));
  }
  for (std::int32_t i = 0; i < arcs * objectives; ++i) {
    per_vehicle.push_back(draw.real());
    per_kg.push_back(draw.real());
  }
  for (std::int32_t i = 0; i < shipments; ++i) {
    month.push_back(draw.integer<std::int32_t>(0, months - 1));
    origin.push_back(draw.integer<std::int32_t>(0, nodes - 1));
    destination.push_back(draw.integer<std::int32_t>(0, nodes - 1));
    kg.push_back(draw.integer<std::int64_t>(1, 300));
  }
  told.nodes = draw.rarely(32) ? draw.wild<std::int32_t>() : nodes;
  told.months = draw.rarely(32) ? draw.wild<std::int32_t>() : months;
  // Counts that arrays do not have cannot be told from those that they have, unless they are out of range.
  told.objectives = draw.rarely(32) ? draw.wild<std::int32_t>() : objectives;
  if (told.objectives >= 1 && told.objectives <= 16) told.objectives = objectives;
  told.arcs = draw.rarely(64) ? -arcs : arcs;
  told.shipments = draw.rarely(64) ? -shipments : shipments;
  told.payload_kg = draw.integer<std::int64_t>(1, 50);
  told.tail = maybe_null(draw, tail);
  told.head = maybe_null(draw, head);
  told.capacity_kg = maybe_null(draw, capacity_kg);
  told.per_vehicle = maybe_null(draw, per_vehicle);
  told.per_kg = maybe_null(draw, per_kg);
  told.month = maybe_null(draw, month);
  told.origin = maybe_null(draw, origin);
  told.destination = maybe_null(draw, destination);
  told.kg = maybe_null(draw, kg);
}

struct Watcher {
  unsigned calls_left;
  std::int32_t objectives;
};

int watch(const rooftop_network_progress* progress, void* with) {
  auto& watcher = *static_cast<Watcher*>(with);
  require(progress->seconds >= 0 && progress->iterations >= 0 && progress->plans >= 1);
  double sum = 0;
  for (std::int32_t i = 0; i < progress->plans * watcher.objectives; ++i) sum += progress->points[i];
  require(std::isfinite(sum));
  if (watcher.calls_left == 0) return 0;
  --watcher.calls_left;
  return 1;
}

void check_paths(const Network& network, const rooftop_network_solution* solution, std::int32_t plan) {
  const std::int64_t* first = nullptr;
  const std::int32_t* arcs = nullptr;
  require(fine(rooftop_network_solution_paths(solution, plan, &first, &arcs)));
  for (std::size_t i = 0; i < network.kg.size(); ++i) {
    std::int32_t at = network.origin[i];
    for (std::int64_t k = first[i]; k < first[i + 1]; ++k) {
      const auto arc = static_cast<std::size_t>(arcs[k]);
      require(arc < network.tail.size() && network.tail[arc] == at);
      at = network.head[arc];
    }
    require(at == network.destination[i]);
  }
}

void check_solution(Draw& draw, const Network& network, const rooftop_network_solution* solution) {
  rooftop_network_result result{};
  require(fine(rooftop_network_solution_result(solution, &result)));
  require(!fine(rooftop_network_solution_result(solution, nullptr)));
  require(result.plans >= 1 && result.overload_kg >= 0);
  require(result.overload_kg == 0 || result.plans == 1);
  for (std::int32_t i = 0; i < result.plans * network.told.objectives; ++i) {
    require(std::isfinite(result.points[i]) && result.points[i] >= 0);
  }
  for (std::int32_t plan = 0; plan < result.plans; ++plan) check_paths(network, solution, plan);
  const std::int64_t* first = nullptr;
  const std::int32_t* arcs = nullptr;
  const auto other = draw.wild<std::int32_t>();
  require(fine(rooftop_network_solution_paths(solution, other, &first, &arcs)) == (other >= 0 && other < result.plans));
  require(!fine(rooftop_network_solution_paths(solution, 0, nullptr, &arcs)));
  require(!fine(rooftop_network_solution_paths(solution, 0, &first, nullptr)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  const Network network(draw);
  const std::vector<double> weights{draw.real(), draw.real(), draw.real()};
  rooftop_network_options options;
  rooftop_network_default_options(&options);
  Watcher watcher{draw.below(3), network.told.objectives};
  options.seconds = draw.real();
  options.iterations = draw.integer<std::int64_t>(1, 40);
  options.seed = draw.byte();
  options.threads = draw.rarely() ? draw.wild<std::int32_t>() : 1 + static_cast<std::int32_t>(draw.rarely());
  options.plans = draw.integer<std::int32_t>(1, 6);
  options.trails = draw.integer<std::int32_t>(0, 1);
  if (draw.rarely(4)) options.weights = weights.data();
  if (draw.rarely(2)) options.watch = watch, options.watch_with = &watcher;
  // A search ends soon: by its ants, by its time, or because whoever watches ends it.
  if (options.iterations > 40 && options.watch != nullptr) watcher.calls_left = 0;
  if (options.iterations > 40 && options.watch == nullptr) options.iterations = 40;
  if (options.iterations == 0 && options.seconds > 0) options.seconds = 1e-4;
  if (options.threads == 0 || (options.threads > 2 && options.threads <= 4096)) options.threads = 2;
  rooftop_network_solution* solution = reinterpret_cast<rooftop_network_solution*>(1);
  rooftop_network_solution** const there = draw.rarely(64) ? nullptr : &solution;
  const bool found = fine(rooftop_network_solve(draw.rarely(128) ? nullptr : &network.told, &options, there));
  require(!found || (there != nullptr && solution != nullptr));
  require(found || there == nullptr || solution == nullptr);
  if (!found) return 0;
  check_solution(draw, network, solution);
  rooftop_network_solution_destroy(solution);
  rooftop_network_solution_destroy(nullptr);
  return 0;
}
