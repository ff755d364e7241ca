#include "spanning_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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

OneTree::OneTree(const Graph& graph) : graph_(&graph), degrees_(graph.head.size() - 1), beside_(degrees_.size()) {
  for (City a = 0; a < static_cast<City>(degrees_.size()); ++a) {
    for (auto k = index(graph.head[index(a)]); k < index(graph.head[index(a) + 1]); ++k) {
      if (graph.to[k] < a) continue;
      ends_.emplace_back(a, graph.to[k]);
      cost_.push_back(graph.cost[k]);
    }
  }
}

double OneTree::find(const std::vector<double>& tolls) {
  const auto n = static_cast<City>(degrees_.size());
  std::fill(degrees_.begin(), degrees_.end(), 0);
  std::fill(beside_.begin(), beside_.end(), 0);
  edges_.clear();
  bridges_.clear();
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const auto [a, b] = ends_[e];
    bridges_.push_back({a, b, cost_[e] + tolls[index(a)] + tolls[index(b)], e});
  }
  for (parts_ = n; !bridges_.empty();) join_parts();
  double sum = 0;
  for (const auto& [a, b, cost] : edges_) sum += cost;
  return sum + add_longest_second(tolls) - 2 * std::accumulate(tolls.begin(), tolls.end(), 0.0);
}

/// A round of O. Boruvka's algorithm (1926): each part of the forest is joined by its cheapest bridge.
void OneTree::join_parts() {
  const std::size_t none = bridges_.size();
  cheapest_.assign(index(parts_), none);
  lowest_.assign(index(parts_), infinite);
  for (std::size_t i = 0; i < bridges_.size(); ++i) {
    const auto& [a, b, cost, edge] = bridges_[i];
    if (cost < lowest_[index(a)]) lowest_[index(a)] = cost, cheapest_[index(a)] = i;
    if (cost < lowest_[index(b)]) lowest_[index(b)] = cost, cheapest_[index(b)] = i;
  }
  part_.resize(index(parts_));
  std::iota(part_.begin(), part_.end(), 0);
  const auto root = [&](City part) {
    while (part_[index(part)] != part) part = part_[index(part)] = part_[index(part_[index(part)])];
    return part;
  };
  for (const std::size_t i : cheapest_) {
    if (i == none) continue;
    const Bridge& bridge = bridges_[i];
    const City a = root(bridge.a), b = root(bridge.b);
    if (a == b) continue;  // both ends' cheapest one, or the last of a circle of equals
    part_[index(std::max(a, b))] = std::min(a, b);
    const auto [from, to] = ends_[bridge.edge];
    edges_.push_back({from, to, bridge.cost});
    ++degrees_[index(from)], ++degrees_[index(to)];
    beside_[index(from)] ^= to, beside_[index(to)] ^= from;  // of one edge alone it is the other end
  }
  // A part goes into one of a lower number, which has its new number already.
  City count = 0;
  for (City part = 0; part < parts_; ++part) {
    City& into = part_[index(part)];
    into = into == part ? count++ : part_[index(into)];
  }
  parts_ = count;
  std::size_t kept = 0;
  for (const Bridge& bridge : bridges_) {
    const City a = part_[index(bridge.a)], b = part_[index(bridge.b)];
    if (a != b) bridges_[kept++] = {a, b, bridge.cost, bridge.edge};
  }
  bridges_.resize(kept);
}

double OneTree::add_longest_second(const std::vector<double>& tolls) {
  const auto n = static_cast<City>(degrees_.size());
  double longest = -infinite;
  City leaf = -1, other = -1;
  for (City city = 0; city < n; ++city) {
    if (degrees_[index(city)] != 1) continue;
    double second = infinite;
    City to = -1;
    for (auto k = index(graph_->head[index(city)]); k < index(graph_->head[index(city) + 1]); ++k) {
      const City next = graph_->to[k];
      if (next == beside_[index(city)]) continue;
      const double cost = graph_->cost[k] + tolls[index(city)] + tolls[index(next)];
      if (cost < second) second = cost, to = next;
    }
    if (to >= 0 && second > longest) longest = second, leaf = city, other = to;
  }
  if (leaf < 0) return 0;
  ++degrees_[index(leaf)], ++degrees_[index(other)];
  return longest;
}

LargestEdge::LargestEdge(City cities, std::vector<TreeEdge> tree) : up_(index(cities)), edge_(up_.size(), infinite) {
  std::sort(tree.begin(), tree.end(), [](const TreeEdge& a, const TreeEdge& b) { return a.cost < b.cost; });
  std::iota(up_.begin(), up_.end(), 0);
  std::vector<City> rank(up_.size(), 0);
  const auto root = [&](City city) {
    while (up_[index(city)] != city) city = up_[index(city)];
    return city;
  };
  for (const auto& [first, second, cost] : tree) {
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
