#include "costs.hpp"

#include <utility>

namespace rooftop::routing {
namespace {

constexpr City most_in_table = 4096;  ///< of 64 MiB; files whose metric takes long have a few hundred cities

}  // namespace

Costs::Costs(const Instance& instance, const Nodes& nodes, Patience& patience)
    : instance_(&instance),
      nodes_(&nodes),
      mates_(nodes.mates().empty() ? nullptr : nodes.mates().data()),
      kind_(Kind::other) {
  const std::vector<City>& places = nodes.places();
  if (!nodes.directed() && (instance.metric == Metric::euc_2d || instance.metric == Metric::ceil_2d)) {
    kind_ = instance.metric == Metric::euc_2d ? Kind::euclidean : Kind::ceiling;
    points_.reserve(places.size());
    for (const City city : places) points_.push_back({instance.x[index(city)], instance.y[index(city)]});
    return;
  }
  if (cities() > most_in_table) return;
  table_.reserve(places.size() * places.size());
  Asking asking(patience, 8);
  for (City a = 0; a < cities(); ++a) {
    if (!asking.left()) {
      table_.clear();
      return;
    }
    for (City b = 0; b < cities(); ++b) table_.push_back(between(a, b));
  }
  kind_ = Kind::table;
}

Cost Costs::between(City a, City b) const {
  City from = nodes_->places()[index(a)], to = nodes_->places()[index(b)];
  if (!nodes_->directed()) return distance(*instance_, from, to);
  const City n = instance_->cities;
  if (from < n) std::swap(from, to);
  return from < n || to >= n ? 0 : distance(*instance_, from - n, to);
}

}  // namespace rooftop::routing
