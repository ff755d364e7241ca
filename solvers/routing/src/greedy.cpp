#include "greedy.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace rooftop::routing {
namespace {

using Edge = std::tuple<double, City, City>;

/// Paths that edges have joined so far.
class Paths {
 public:
  explicit Paths(const Costs& costs)
      : costs_(&costs), beside_(index(costs.cities()), {-1, -1}), group_(beside_.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    for (City c = 0; c < costs.cities(); ++c) {
      if (costs.mate(c) > c) connect(c, costs.mate(c));
    }
  }

  [[nodiscard]] bool is_end(City c) const { return beside_[index(c)][1] < 0; }
  [[nodiscard]] City group(City c) {
    while (group_[index(c)] != c) c = group_[index(c)] = group_[index(group_[index(c)])];
    return c;
  }
  /// Joins two ends of different paths if a tour may; does nothing for others.
  void join(City a, City b) {
    if (is_end(a) && is_end(b) && group(a) != group(b) && costs_->may_join(a, b)) connect(a, b);
  }
  void join_all(std::vector<Edge>& edges) {
    std::sort(edges.begin(), edges.end());
    for (const auto& [price, a, b] : edges) join(a, b);
  }
  /// Joins each path to the next one, in the order of their first cities.
  void join_in_order() {
    std::vector<std::array<City, 2>> paths;
    std::vector<City> number(beside_.size(), -1);  // of a group's path
    for (const City c : ends()) {
      City& at = number[index(group(c))];
      if (at < 0) {
        at = static_cast<City>(paths.size());
        paths.push_back({c, c});
      }
      paths[index(at)][1] = c;
    }
    City last = paths.front()[1];
    for (std::size_t i = 1; i < paths.size(); ++i) {
      auto [first, second] = paths[i];
      if (!costs_->may_join(last, first)) std::swap(first, second);
      connect(last, first);
      last = second;
    }
  }
  [[nodiscard]] std::vector<City> ends() const {
    std::vector<City> found;
    for (City c = 0; c < static_cast<City>(beside_.size()); ++c) {
      if (is_end(c)) found.push_back(c);
    }
    return found;
  }
  /// From one end of the only path to the other.
  [[nodiscard]] std::vector<City> order() const {
    std::vector<City> all;
    all.reserve(beside_.size());
    for (City last = -1, c = ends().front(); c >= 0;) {
      all.push_back(c);
      const City next = beside_[index(c)][beside_[index(c)][0] == last ? 1 : 0];
      last = c;
      c = next;
    }
    return all;
  }

 private:
  void connect(City a, City b) {
    group_[index(group(a))] = group(b);
    add(a, b);
    add(b, a);
  }
  void add(City c, City beside) { beside_[index(c)][beside_[index(c)][0] < 0 ? 0 : 1] = beside; }

  const Costs* costs_;
  std::vector<std::array<City, 2>> beside_;  ///< -1 where there is none
  std::vector<City> group_;
};

constexpr City ends_near = 8;

/// Joins ends that lie near one another. False if none could be joined.
bool join_near_ends(const Price& price, const std::vector<Site>& sites, int threads, const std::vector<City>& ends,
                    Paths& paths, Patience& patience) {
  std::vector<Site> there;
  there.reserve(ends.size());
  for (const City c : ends) there.push_back(sites[index(c)]);
  const City width = std::min<City>(ends_near, static_cast<City>(ends.size()) - 1);
  const std::vector<City> near = nearest_sites(there, width, threads, patience);
  if (!patience.left()) return false;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const City a = ends[i / index(width)], b = ends[index(near[i])];
    if (paths.group(a) != paths.group(b)) edges.emplace_back(price(a, b), std::min(a, b), std::max(a, b));
  }
  paths.join_all(edges);
  return !edges.empty();
}

}  // namespace

std::vector<City> greedy_tour(const Costs& costs, const Price& price, const Neighbours& near,
                              const std::vector<Site>& sites, int threads, Patience& patience) {
  Paths paths(costs);
  std::vector<Edge> edges;
  edges.reserve(near.city.size());
  Asking asking(patience, 64);
  for (City a = 0; a < costs.cities() && asking.left(); ++a) {
    for (const City* to = near.of(a); to != near.of(a) + near.width; ++to) {
      const City* const back = near.of(*to);
      if (*to < a && std::find(back, back + near.width, a) != back + near.width) continue;  // it is there already
      edges.emplace_back(price(a, *to), std::min(a, *to), std::max(a, *to));
    }
  }
  if (patience.left()) paths.join_all(edges);
  // The two ends of a path, or a city alone, which is both of its.
  for (std::vector<City> ends = paths.ends(); ends.size() > 2; ends = paths.ends()) {
    if (!sites.empty() && patience.left() && join_near_ends(price, sites, threads, ends, paths, patience)) continue;
    if (!patience.left()) {
      paths.join_in_order();
      break;
    }
    for (const City c : ends) {
      if (c != ends.front()) paths.join(ends.front(), c);
    }
  }
  return paths.order();
}

std::vector<City> tour_in_order(const Costs& costs) {
  Paths paths(costs);
  paths.join_in_order();
  return paths.order();
}

}  // namespace rooftop::routing
