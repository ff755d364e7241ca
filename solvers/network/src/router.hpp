/// The path that adds least to a plan, for one shipment.
#pragma once

#include <utility>
#include <vector>

#include "plan.hpp"

namespace rooftop::network {

/// Dijkstra's search over what a shipment would add to the plan as it stands: vehicles with room left cost nothing.
class Router {
 public:
  explicit Router(const Graph& graph);

  /// Of a shipment that is not in the plan. Empty if nothing leads there.
  [[nodiscard]] Path route(const Plan& plan, std::size_t shipment, const Aim& aim);
  /// A path that comes nearer to the destination in the first objective, whatever is in the plan: found in a small part
  /// of the time.
  [[nodiscard]] Path straight(std::size_t shipment);

 private:
  const Graph* graph_;
  std::vector<double> added_;
  std::vector<std::int32_t> by_, touched_;
  std::vector<std::pair<double, std::int32_t>> heap_;
  std::vector<bool> visited_;
};

}  // namespace rooftop::network
