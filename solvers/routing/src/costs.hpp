/// Distances between cities in an order of one's own, quick for the metrics that files mostly have.
#pragma once

#include <cmath>
#include <vector>

#include "city.hpp"
#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

class Costs {
 public:
  /// City c here is order[c] of the instance, which must outlive this.
  Costs(const Instance& instance, std::vector<City> order);

  [[nodiscard]] City cities() const { return static_cast<City>(order_.size()); }
  [[nodiscard]] const Instance& instance() const { return *instance_; }
  /// The instance's number of a city here.
  [[nodiscard]] City original(City city) const { return order_[index(city)]; }

  /// The same as distance() of the instance.
  Cost operator()(City a, City b) const {
    if (kind_ == Kind::table) return table_[index(a) * order_.size() + index(b)];
    if (kind_ == Kind::other) return distance(*instance_, original(a), original(b));
    const Point &p = points_[index(a)], &q = points_[index(b)];
    const double dx = p.x - q.x, dy = p.y - q.y, square = dx * dx + dy * dy;
    if (kind_ == Kind::euclidean) return static_cast<Cost>(std::sqrt(square) + 0.5);
    return static_cast<Cost>(std::ceil(std::sqrt(square)));
  }

 private:
  enum class Kind : std::uint8_t { euclidean, ceiling, table, other };
  struct Point {
    double x, y;
  };

  const Instance* instance_;
  std::vector<City> order_;
  Kind kind_;
  std::vector<Point> points_;
  std::vector<Cost> filled_;
  const Cost* table_ = nullptr;  ///< the instance's matrix, or one that is filled where a distance takes long
};

}  // namespace rooftop::routing
