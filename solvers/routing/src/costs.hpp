/// Distances between nodes in an order of one's own, quick for the metrics that files mostly have.
#pragma once

#include <cmath>
#include <vector>

#include "city.hpp"
#include "nodes.hpp"
#include "patience.hpp"
#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

class Costs {
 public:
  /// Both must outlive this. Where patience runs out, distances are as they were, and take longer.
  Costs(const Instance& instance, const Nodes& nodes, Patience& patience = endless);

  /// Nodes: of a symmetric problem without fixed edges the cities.
  [[nodiscard]] City cities() const { return static_cast<City>(nodes_->places().size()); }

  /// The same as distance() of the instance; what it tells of nodes that may not be joined means nothing.
  Cost operator()(City a, City b) const {
    if (kind_ == Kind::table) return table_[index(a) * index(cities()) + index(b)];
    if (kind_ == Kind::other) return between(a, b);
    const Point &p = points_[index(a)], &q = points_[index(b)];
    const double dx = p.x - q.x, dy = p.y - q.y, square = dx * dx + dy * dy;
    if (kind_ == Kind::euclidean) return static_cast<Cost>(std::sqrt(square) + 0.5);
    return static_cast<Cost>(std::ceil(std::sqrt(square)));
  }

  /// Whether some nodes are mates: all that follows is then worth asking.
  [[nodiscard]] bool some_fixed() const { return mates_ != nullptr; }
  /// The node that lies beside this one in every tour; -1: none.
  [[nodiscard]] City mate(City a) const { return mates_ == nullptr ? -1 : mates_[a]; }
  [[nodiscard]] bool fixed(City a, City b) const { return mates_ != nullptr && mates_[a] == b; }
  /// Whether a tour may have the edge between two different nodes beside what is fixed.
  [[nodiscard]] bool may_join(City a, City b) const {
    return mates_ == nullptr || (mates_[a] != b && !(nodes_->directed() && is_exit(a) == is_exit(b)));
  }

 private:
  enum class Kind : std::uint8_t { euclidean, ceiling, table, other };
  struct Point {
    double x, y;
  };

  [[nodiscard]] bool is_exit(City node) const { return nodes_->places()[index(node)] >= instance_->cities; }
  [[nodiscard]] Cost between(City a, City b) const;

  const Instance* instance_;
  const Nodes* nodes_;
  const City* mates_;
  Kind kind_;
  std::vector<Point> points_;
  std::vector<Cost> table_;  ///< where a distance takes long
};

}  // namespace rooftop::routing
