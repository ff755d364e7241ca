#include "trails.hpp"

#include <algorithm>

namespace rooftop::network {
namespace {

constexpr double learned = 0.1;  ///< part of the way to a plan
constexpr double first_level = 0.5;
constexpr double forgotten = 1e-9;  ///< a mark below this is none: chances do not see it

}  // namespace

TrailMap::TrailMap(const Graph& graph, std::size_t trails)
    : graph_(&graph),
      trails_(trails),
      level_(trails, first_level),
      marks_(trails * graph.targets()),
      kg_to_(graph.targets()) {
  const std::vector<Shipment>& shipments = graph.problem().shipments;
  for (std::size_t i = 0; i < shipments.size(); ++i) kg_to_[graph.target(i)] += static_cast<double>(shipments[i].kg);
}

void TrailMap::read(std::size_t target, std::int32_t node, const std::vector<double>& weights,
                    std::vector<double>& strengths) const {
  const std::int32_t first = graph_->first_place(node), last = graph_->first_place(node + 1);
  strengths.assign(index(last - first), 0.0);
  for (std::size_t trail = 0; trail < trails_; ++trail) {
    const double weight = trails_ == 1 ? 1.0 : weights[trail];
    for (double& strength : strengths) strength += weight * level_[trail];
    const Marks& marks = marks_[trail * graph_->targets() + target];
    for (auto at = std::lower_bound(marks.begin(), marks.end(), first, before); at != marks.end() && at->place < last;
         ++at) {
      strengths[index(at->place - first)] += weight * at->above;
    }
  }
}

void TrailMap::follow(std::size_t trail, const std::vector<Path>& paths, const std::function<bool()>& left) {
  Marks* const of_trail = marks_.data() + trail * graph_->targets();
  level_[trail] *= 1 - learned;
  for (std::size_t target = 0; target < graph_->targets(); ++target) {
    if (!left()) return;
    for (Mark& mark : of_trail[target]) mark.above *= 1 - learned;
    std::erase_if(of_trail[target], [](const Mark& mark) { return mark.above < forgotten; });
  }
  for (std::size_t shipment = 0; shipment < paths.size(); ++shipment) {
    const std::size_t target = graph_->target(shipment);
    const double share = static_cast<double>(graph_->problem().shipments[shipment].kg) / kg_to_[target];
    add(of_trail[target], paths[shipment], learned * share);
  }
}

void TrailMap::add(Marks& marks, const Path& path, double above) const {
  for (const std::int32_t arc : path) {
    const std::int32_t place = graph_->place(arc);
    const auto at = std::lower_bound(marks.begin(), marks.end(), place, before);
    if (at != marks.end() && at->place == place) {
      at->above += above;
    } else {
      marks.insert(at, {place, above});
    }
  }
}

}  // namespace rooftop::network
