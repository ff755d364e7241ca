/// What ants leave on the arcs for those that come after them: the hyper-cube framework's pheromone, between 0 and 1.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plan.hpp"

namespace rooftop::network {

/// Trails for each destination, over all months: a shipment's best way depends on where it goes to.
class TrailMap {
 public:
  TrailMap(const Graph& graph, std::size_t trails);

  [[nodiscard]] std::size_t trails() const { return trails_; }
  /// How strongly the arcs that leave a node are recommended on the way to a destination: trails added with weights,
  /// [trails]. Written to `strengths`, one for each of these arcs.
  void read(std::size_t target, std::int32_t node, const std::vector<double>& weights,
            std::vector<double>& strengths) const;
  /// A trail moves a part of the way towards a plan: what share of the kilograms to a destination takes each arc. When
  /// time is over it need not come there.
  void follow(std::size_t trail, const std::vector<Path>& paths, const std::function<bool()>& left);

 private:
  /// What plans have added to the level that every arc has.
  struct Mark {
    std::int32_t place;  ///< of the arc, see Graph
    double above;
  };
  using Marks = std::vector<Mark>;  ///< sorted by place

  static bool before(const Mark& mark, std::int32_t place) { return mark.place < place; }
  void add(Marks& marks, const Path& path, double above) const;

  const Graph* graph_;
  std::size_t trails_;
  std::vector<double> level_;  ///< of an arc on no plan yet, [trails]
  /// [trails][targets]: few arcs lead to a destination in any plan, so levels of all are never laid out: with thousands
  /// of destinations they would be gigabytes.
  std::vector<Marks> marks_;
  std::vector<double> kg_to_;  ///< [targets]
};

}  // namespace rooftop::network
