#include "router.hpp"

#include <algorithm>
#include <functional>

namespace rooftop::network {

Router::Router(const Graph& graph)
    : graph_(&graph),
      added_(index(graph.problem().nodes), infinite),
      by_(index(graph.problem().nodes), -1),
      visited_(index(graph.problem().nodes)) {}

Path Router::route(const Plan& plan, std::size_t shipment, const Aim& aim) {
  const Shipment& sent = graph_->problem().shipments[shipment];
  const std::size_t target = graph_->target(shipment);
  heap_.assign(1, {0, sent.from});
  touched_.assign(1, sent.from);
  added_[index(sent.from)] = 0;
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto [here, at] = heap_.back();
    heap_.pop_back();
    if (at == sent.to) break;
    if (here > added_[index(at)]) continue;
    for (const std::int32_t arc : graph_->leaving(at)) {
      const std::int32_t node = graph_->problem().head[index(arc)];
      if (graph_->distance(0, target, node) == infinite) continue;
      const double there = here + plan.added(shipment, arc, aim);
      if (!(there < added_[index(node)])) continue;
      if (added_[index(node)] == infinite) touched_.push_back(node);
      added_[index(node)] = there;
      by_[index(node)] = arc;
      heap_.emplace_back(there, node);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }
  Path path;
  if (added_[index(sent.to)] < infinite) {
    for (std::int32_t at = sent.to; at != sent.from; at = graph_->problem().tail[index(path.back())]) {
      path.push_back(by_[index(at)]);
    }
    std::reverse(path.begin(), path.end());
  }
  for (const std::int32_t node : touched_) added_[index(node)] = infinite;
  return path;
}

Path Router::straight(std::size_t shipment) {
  const Problem& problem = graph_->problem();
  const Shipment& sent = problem.shipments[shipment];
  const std::size_t target = graph_->target(shipment);
  touched_.assign(1, sent.from);
  visited_[index(sent.from)] = true;
  Path path;
  for (std::int32_t at = sent.from; at != sent.to;) {
    std::int32_t nearest = -1;
    double least = infinite;
    for (const std::int32_t arc : graph_->leaving(at)) {
      const std::int32_t node = problem.head[index(arc)];
      const double there = graph_->step(0, arc) + graph_->distance(0, target, node);
      if (visited_[index(node)] || !(there < least)) continue;
      least = there, nearest = arc;
    }
    if (nearest >= 0) {
      path.push_back(nearest);
      at = problem.head[index(nearest)];
      visited_[index(at)] = true;
      touched_.push_back(at);
    } else {  // where arcs cost nothing, nearer may lead nowhere
      at = problem.tail[index(path.back())];
      path.pop_back();
    }
  }
  for (const std::int32_t node : touched_) visited_[index(node)] = false;
  return path;
}

}  // namespace rooftop::network
