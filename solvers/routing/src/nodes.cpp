#include "nodes.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rooftop::routing {

void Nodes::fix(City a, City b) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    City* const both = beside_.data() + 2 * index(from);
    if (both[0] == to || (both[0] >= 0 && both[1] >= 0)) {
      throw InvalidInput("fixed edges enter or leave city " + std::to_string(from % all_cities_ + 1) +
                         " twice; expected edges that one tour can hold");
    }
    both[both[0] < 0 ? 0 : 1] = to;
  }
}

/// What lies behind a place that one comes to from another; -1 at the end.
City Nodes::beyond(City place, City from) const {
  const City* const both = beside_.data() + 2 * index(place);
  return both[0] == from ? both[1] : both[0];
}

Nodes::Nodes(const Instance& instance, const std::vector<City>& order)
    : all_cities_(instance.cities),
      directed_(!instance.symmetric && (instance.metric == Metric::matrix || !instance.fixed_edges.empty())) {
  const City n = all_cities_;
  if (!directed_ && instance.fixed_edges.empty()) {
    places_ = order;
    return;
  }
  beside_.assign(2 * index(n) * (directed_ ? 2 : 1), -1);
  for (City city = 0; directed_ && city < n; ++city) fix(city, n + city);
  // Where edges close a tour, the last one follows from the others.
  const std::size_t edges = std::min(instance.fixed_edges.size(), index(n - 1));
  for (std::size_t e = 0; e < edges; ++e) {
    const auto [a, b] = instance.fixed_edges[e];
    directed_ ? fix(n + a, b) : fix(a, b);
  }
  std::vector<City> node(beside_.size() / 2, -1);
  const auto add = [&](City place) {
    const City* const both = beside_.data() + 2 * index(place);
    if (both[0] >= 0 && both[1] >= 0) return;
    node[index(place)] = static_cast<City>(places_.size());
    places_.push_back(place);
  };
  for (const City city : order) {
    add(city);
    if (directed_) add(n + city);
  }
  mates_.assign(places_.size(), -1);
  std::size_t passed = 0;  // places, from both ends of each path
  for (std::size_t i = 0; i < places_.size(); ++i) {
    City last = -1, place = places_[i];
    for (City next = beside_[2 * index(place)]; next >= 0;) {
      last = place, place = next;
      next = beyond(place, last);
      ++passed;
    }
    ++passed;
    if (last < 0) {
      ++passed;
    } else {
      mates_[i] = node[index(place)];
    }
  }
  if (passed != 2 * node.size()) {
    throw InvalidInput("fixed edges close a tour of some cities; expected edges that one tour of all can hold");
  }
}

std::vector<City> Nodes::cities(const std::vector<City>& tour) const {
  std::vector<City> all;
  all.reserve(index(all_cities_));
  if (mates_.empty()) {
    for (const City node : tour) all.push_back(places_[index(node)]);
    return all;
  }
  std::vector<City> way = tour;
  if (way.size() > 1 && mates_[index(way.front())] == way.back()) {
    std::rotate(way.begin(), way.end() - 1, way.end());
  }
  // From an entry on.
  if (directed_ && places_[index(way.front())] >= all_cities_) std::reverse(way.begin(), way.end());
  const auto add = [&](City place) {
    if (place < all_cities_) all.push_back(place);
  };
  for (std::size_t i = 0; i < way.size(); ++i) {
    City last = -1, place = places_[index(way[i])];
    add(place);
    if (mates_[index(way[i])] < 0) continue;
    for (City next = beside_[2 * index(place)]; next >= 0; next = beyond(place, last)) {
      last = place, place = next;
      add(place);
    }
    ++i;
  }
  return all;
}

std::vector<City> Nodes::tour(std::span<const City> cities) const {
  std::vector<City> node(index(all_cities_) * (directed_ ? 2 : 1), -1);
  for (std::size_t i = 0; i < places_.size(); ++i) node[index(places_[i])] = static_cast<City>(i);
  std::vector<City> way;
  way.reserve(places_.size());
  const auto add = [&](City place) {
    if (node[index(place)] >= 0) way.push_back(node[index(place)]);
  };
  for (const City city : cities) {
    add(city);
    if (directed_) add(all_cities_ + city);
  }
  if (mates_.empty()) return way;
  if (way.size() > 1 && mates_[index(way.front())] == way.back()) {
    std::rotate(way.begin(), way.end() - 1, way.end());
  }
  std::vector<bool> there(way.size());
  std::vector<City> all;
  all.reserve(way.size());
  for (const City one : way) {
    for (const City next : {one, mates_[index(one)]}) {
      if (next < 0 || there[index(next)]) continue;
      there[index(next)] = true;
      all.push_back(next);
    }
  }
  return all;
}

}  // namespace rooftop::routing
