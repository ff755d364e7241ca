#include "costs.hpp"

#include <utility>

namespace rooftop::routing {
namespace {

constexpr City most_in_table = 4096;  ///< of 64 MiB; files whose metric takes long have a few hundred cities

}  // namespace

Costs::Costs(const Instance& instance, std::vector<City> order)
    : instance_(&instance), order_(std::move(order)), kind_(Kind::other) {
  const std::size_t n = order_.size();
  switch (instance.metric) {
    case Metric::euc_2d:
    case Metric::ceil_2d:
      kind_ = instance.metric == Metric::euc_2d ? Kind::euclidean : Kind::ceiling;
      points_.reserve(n);
      for (const City city : order_) points_.push_back({instance.x[index(city)], instance.y[index(city)]});
      return;
    default:
      if (cities() > most_in_table) return;
      kind_ = Kind::table;
      filled_.reserve(n * n);
      for (const City a : order_) {
        for (const City b : order_) filled_.push_back(distance(instance, a, b));
      }
      table_ = filled_.data();
  }
}

}  // namespace rooftop::routing
