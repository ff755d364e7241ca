#include "plan.hpp"

#include <utility>

namespace rooftop::network {

double Aim::sum(const std::vector<double>& values) const {
  double total = 0;
  for (std::size_t o = 0; o < scaled.size(); ++o) total += scaled[o] * values[o];
  return total;
}

Aim make_aim(const Graph& graph, const std::vector<double>& weights, const std::vector<double>& ranges) {
  Aim aim{weights, weights, std::vector<double>(graph.arcs()), std::vector<double>(graph.arcs()), 0};
  const Problem& problem = graph.problem();
  for (std::size_t o = 0; o < weights.size(); ++o) {
    aim.scaled[o] /= ranges[o];
    for (std::size_t arc = 0; arc < graph.arcs(); ++arc) {
      aim.per_vehicle[arc] += aim.scaled[o] * problem.per_vehicle[o * graph.arcs() + arc];
      aim.per_kg[arc] += aim.scaled[o] * problem.per_kg[o * graph.arcs() + arc];
    }
  }
  // A vehicle for every kilogram over all arcs: no way around costs more.
  for (std::size_t arc = 0; arc < graph.arcs(); ++arc) aim.per_overload_kg += aim.per_vehicle[arc] + aim.per_kg[arc];
  return aim;
}

Plan::Plan(const Graph& graph)
    : graph_(&graph),
      paths_(graph.problem().shipments.size()),
      load_(index(graph.problem().months) * graph.arcs()),
      values_(graph.objectives()) {}

Path Plan::lift(std::size_t shipment) {
  change(shipment, -1);
  return std::exchange(paths_[shipment], {});
}

void Plan::change(std::size_t shipment, std::int64_t sign) {
  const Problem& problem = graph_->problem();
  const std::int64_t kg = sign * problem.shipments[shipment].kg;
  for (const std::int32_t arc : paths_[shipment]) {
    std::int64_t& load = load_[cell(problem.shipments[shipment].month, arc)];
    overload_ += over(load + kg, index(arc)) - over(load, index(arc));
    const auto more = static_cast<double>(vehicles(load + kg) - vehicles(load));
    for (std::size_t o = 0; o < values_.size(); ++o) {
      const std::size_t at = o * graph_->arcs() + index(arc);
      values_[o] += problem.per_vehicle[at] * more + problem.per_kg[at] * static_cast<double>(kg);
    }
    load += kg;
  }
}

double Plan::added(std::size_t shipment, std::int32_t arc, const Aim& aim) const {
  const Shipment& moved = graph_->problem().shipments[shipment];
  const std::int64_t before = load(moved.month, arc), after = before + moved.kg;
  const auto overload = static_cast<double>(over(after, index(arc)) - over(before, index(arc)));
  return aim.per_vehicle[index(arc)] * static_cast<double>(vehicles(after) - vehicles(before)) +
         aim.per_kg[index(arc)] * static_cast<double>(moved.kg) + aim.per_overload_kg * overload;
}

std::vector<double> Plan::values() const {
  const Problem& problem = graph_->problem();
  std::vector<double> all(graph_->objectives());
  for (std::size_t i = 0; i < load_.size(); ++i) {
    if (load_[i] == 0) continue;
    const auto cars = static_cast<double>(vehicles(load_[i])), kg = static_cast<double>(load_[i]);
    for (std::size_t o = 0; o < all.size(); ++o) {
      const std::size_t at = o * graph_->arcs() + i % graph_->arcs();
      all[o] += problem.per_vehicle[at] * cars + problem.per_kg[at] * kg;
    }
  }
  return all;
}

}  // namespace rooftop::network
