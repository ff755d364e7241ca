#include "spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

namespace rooftop::routing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Cost least = std::numeric_limits<Cost>::min();

}  // namespace

Graph symmetric(const Costs& costs, const Neighbours& near) {
  const City n = costs.cities();
  std::vector<std::pair<City, City>> edges;
  edges.reserve(near.city.size());
  for (City c = 0; c < n; ++c) {
    for (City k = 0; k < near.width; ++k) {
      if (costs.may_join(c, near.of(c)[k])) edges.push_back(std::minmax(c, near.of(c)[k]));
    }
    if (costs.mate(c) > c) edges.emplace_back(c, costs.mate(c));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Graph graph;
  graph.head.assign(index(n) + 1, 0);
  for (const auto& [a, b] : edges) ++graph.head[index(a) + 1], ++graph.head[index(b) + 1];
  std::partial_sum(graph.head.begin(), graph.head.end(), graph.head.begin());
  graph.to.resize(2 * edges.size());
  graph.cost.resize(2 * edges.size());
  std::vector<City> next(graph.head.begin(), graph.head.end() - 1);
  for (const auto& [a, b] : edges) {
    const bool fixed = costs.fixed(a, b);
    const Cost cost = fixed ? least : costs(a, b);
    if (fixed) graph.fixed += cost;
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      const std::size_t at = index(next[index(from)]++);
      graph.to[at] = to;
      graph.cost[at] = cost;
    }
  }
  return graph;
}

OneTree::OneTree(const Graph& graph)
    : graph_(&graph),
      parent_(graph.head.size() - 1),
      degrees_(parent_.size()),
      key_(parent_.size()),
      inside_(parent_.size()) {}

double OneTree::find(const std::vector<double>& tolls) {
  const auto n = static_cast<City>(parent_.size());
  std::fill(parent_.begin(), parent_.end(), -1);
  std::fill(degrees_.begin(), degrees_.end(), 0);
  std::fill(key_.begin(), key_.end(), infinite);
  std::fill(inside_.begin(), inside_.end(), 0);
  heap_.clear();
  double sum = 0;
  const std::greater<Offer> later;
  for (City root = 0; root < n; ++root) {  // Prim's algorithm from each city that no tree has reached
    if (inside_[index(root)] != 0) continue;
    heap_.emplace_back(0, root);
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const auto [cost, city] = heap_.back();
      heap_.pop_back();
      if (inside_[index(city)] != 0) continue;
      inside_[index(city)] = 1;
      if (const City parent = parent_[index(city)]; parent >= 0) {
        ++degrees_[index(city)], ++degrees_[index(parent)];
        sum += cost;
      }
      for (auto k = index(graph_->head[index(city)]); k < index(graph_->head[index(city) + 1]); ++k) {
        const City to = graph_->to[k];
        if (inside_[index(to)] != 0) continue;
        const double offer = graph_->cost[k] + tolls[index(city)] + tolls[index(to)];
        if (offer >= key_[index(to)]) continue;
        key_[index(to)] = offer;
        parent_[index(to)] = city;
        heap_.emplace_back(offer, to);
        std::push_heap(heap_.begin(), heap_.end(), later);
      }
    }
  }
  return sum + add_longest_second(tolls) - 2 * std::accumulate(tolls.begin(), tolls.end(), 0.0);
}

double OneTree::add_longest_second(const std::vector<double>& tolls) {
  const auto n = static_cast<City>(parent_.size());
  double longest = -infinite;
  City leaf = -1, other = -1;
  for (City city = 0; city < n; ++city) {
    if (degrees_[index(city)] != 1) continue;
    double second = infinite;
    City to = -1;
    for (auto k = index(graph_->head[index(city)]); k < index(graph_->head[index(city) + 1]); ++k) {
      const City next = graph_->to[k];
      if (parent_[index(city)] == next || parent_[index(next)] == city) continue;
      const double cost = graph_->cost[k] + tolls[index(city)] + tolls[index(next)];
      if (cost < second) second = cost, to = next;
    }
    if (to >= 0 && second > longest) longest = second, leaf = city, other = to;
  }
  if (leaf < 0) return 0;
  ++degrees_[index(leaf)], ++degrees_[index(other)];
  return longest;
}

LargestEdge::LargestEdge(const Graph& graph, const std::vector<double>& tolls)
    : up_(tolls.size()), edge_(tolls.size(), infinite) {
  std::vector<std::tuple<double, City, City>> edges;
  edges.reserve(graph.to.size() / 2);
  for (City a = 0; a < static_cast<City>(up_.size()); ++a) {
    for (auto k = index(graph.head[index(a)]); k < index(graph.head[index(a) + 1]); ++k) {
      const City b = graph.to[k];
      if (b > a) edges.emplace_back(graph.cost[k] + tolls[index(a)] + tolls[index(b)], a, b);
    }
  }
  std::sort(edges.begin(), edges.end());
  std::iota(up_.begin(), up_.end(), 0);
  std::vector<City> rank(up_.size(), 0);
  const auto root = [&](City city) {
    while (up_[index(city)] != city) city = up_[index(city)];
    return city;
  };
  for (const auto& [cost, first, second] : edges) {
    City a = root(first), b = root(second);
    if (a == b) continue;
    if (rank[index(a)] > rank[index(b)]) std::swap(a, b);
    up_[index(a)] = b;
    edge_[index(a)] = cost;
    if (rank[index(a)] == rank[index(b)]) ++rank[index(b)];
  }
}

City LargestEdge::depth(City city) const {
  City steps = 0;
  for (; up_[index(city)] != city; city = up_[index(city)]) ++steps;
  return steps;
}

double LargestEdge::between(City a, City b) const {
  double largest = -infinite;
  for (City at = depth(a), other = depth(b); a != b;) {
    if (at < other || (at == other && at == 0)) std::swap(a, b), std::swap(at, other);
    if (at == 0) return infinite;
    largest = std::max(largest, edge_[index(a)]);
    a = up_[index(a)];
    --at;
  }
  return largest;
}

}  // namespace rooftop::routing
