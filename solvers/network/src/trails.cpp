#include "trails.hpp"

namespace rooftop::network {
namespace {

constexpr double learned = 0.1;  ///< part of the way to a plan
constexpr double first_level = 0.5;

}  // namespace

TrailMap::TrailMap(const Graph& graph, std::size_t trails)
    : graph_(&graph),
      trails_(trails),
      level_(trails * graph.targets() * graph.arcs(), first_level),
      kg_to_(graph.targets()) {
  const std::vector<Shipment>& shipments = graph.problem().shipments;
  for (std::size_t i = 0; i < shipments.size(); ++i) kg_to_[graph.target(i)] += static_cast<double>(shipments[i].kg);
}

double TrailMap::strength(std::size_t target, std::int32_t arc, const std::vector<double>& weights) const {
  const std::size_t step = graph_->targets() * graph_->arcs(), at = target * graph_->arcs() + index(arc);
  if (trails_ == 1) return level_[at];
  double total = 0;
  for (std::size_t trail = 0; trail < trails_; ++trail) total += weights[trail] * level_[trail * step + at];
  return total;
}

void TrailMap::follow(std::size_t trail, const std::vector<Path>& paths, const std::function<bool()>& left) {
  const std::size_t step = graph_->targets() * graph_->arcs();
  double* level = level_.data() + trail * step;
  for (std::size_t target = 0; target < graph_->targets(); ++target) {
    if (!left()) return;
    double* const of_target = level + target * graph_->arcs();
    for (std::size_t arc = 0; arc < graph_->arcs(); ++arc) of_target[arc] *= 1 - learned;
  }
  for (std::size_t shipment = 0; shipment < paths.size(); ++shipment) {
    const std::size_t target = graph_->target(shipment);
    const double share = static_cast<double>(graph_->problem().shipments[shipment].kg) / kg_to_[target];
    for (const std::int32_t arc : paths[shipment]) level[target * graph_->arcs() + index(arc)] += learned * share;
  }
}

}  // namespace rooftop::network
