/// What ants leave on the arcs for those that come after them: the hyper-cube framework's pheromone, between 0 and 1.
#pragma once

#include <functional>
#include <vector>

#include "plan.hpp"

namespace rooftop::network {

/// Trails for each destination, over all months: a shipment's best way depends on where it goes to.
class TrailMap {
 public:
  TrailMap(const Graph& graph, std::size_t trails);

  [[nodiscard]] std::size_t trails() const { return trails_; }
  /// How strongly arcs are recommended on the way to a destination: trails added with weights, [trails].
  [[nodiscard]] double strength(std::size_t target, std::int32_t arc, const std::vector<double>& weights) const;
  /// A trail moves a part of the way towards a plan: what share of the kilograms to a destination takes each arc. When
  /// time is over it need not come there.
  void follow(std::size_t trail, const std::vector<Path>& paths, const std::function<bool()>& left);

 private:
  const Graph* graph_;
  std::size_t trails_;
  std::vector<double> level_;  ///< [trails][targets][arcs]
  std::vector<double> kg_to_;  ///< [targets]
};

}  // namespace rooftop::network
