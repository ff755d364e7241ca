#include "lower_bound.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ants {
namespace {

/// A cheapest 1-tree at the cities' prices: a spanning tree of all cities but the first, and its two cheapest edges.
struct OneTree {
  double cost = 0;                   ///< with prices
  std::vector<int> degrees;          ///< of each city
  std::vector<std::size_t> joined;   ///< the spanning tree's cities in the order in which they joined it
  std::vector<std::size_t> beside;   ///< the city beside which each of them joined
  std::size_t nearest_to_first = 1;  ///< the city nearest to the first, which is no part of the spanning tree
};

/// Prim's algorithm over the complete graph, whose edge (a, b) costs distance + price a + price b.
OneTree cheapest_one_tree(const Problem& p, const std::vector<double>& prices) {
  const std::size_t n = at(p.cities);
  const auto cost = [&](std::size_t a, std::size_t b) {
    return static_cast<double>(distance(p, static_cast<City>(a), static_cast<City>(b))) + prices[a] + prices[b];
  };
  OneTree tree{.cost = 0, .degrees = std::vector<int>(n, 0), .joined = {}, .beside = {}};
  std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> beside(n, 1), outside;
  for (std::size_t city = 2; city < n; ++city) outside.push_back(city);
  for (std::size_t joined = 1; !outside.empty();) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < outside.size(); ++i) {
      const std::size_t city = outside[i];
      const double there = cost(joined, city);
      if (there < nearest[city]) nearest[city] = there, beside[city] = joined;
      if (nearest[city] < nearest[outside[best]]) best = i;
    }
    joined = outside[best];
    outside[best] = outside.back(), outside.pop_back();
    tree.cost += nearest[joined];
    ++tree.degrees[joined], ++tree.degrees[beside[joined]];
    tree.joined.push_back(joined), tree.beside.push_back(beside[joined]);
  }
  double first = std::numeric_limits<double>::infinity(), second = first;
  std::size_t first_city = 1, second_city = 1;
  for (std::size_t city = 1; city < n; ++city) {
    const double there = cost(0, city);
    if (there < first) {
      second = first, second_city = first_city;
      first = there, first_city = city;
    } else if (there < second) {
      second = there, second_city = city;
    }
  }
  tree.cost += first + second;
  tree.nearest_to_first = first_city;
  tree.degrees[0] = 2, ++tree.degrees[first_city], ++tree.degrees[second_city];
  return tree;
}

/// Cities of one group are linked by edges no longer than `gap` (single linkage).
struct Groups {
  double gap = 0;
  std::size_t count = 1;
  std::vector<std::size_t> of;  ///< each city's group
};

/// A spanning tree that is cheapest without prices holds every group together: its longer edges part the groups.
Groups groups_apart_by(const Problem& p, const OneTree& tree, double gap) {
  Groups groups{.gap = gap, .count = 1, .of = std::vector<std::size_t>(at(p.cities), 0)};
  for (std::size_t i = 0; i < tree.joined.size(); ++i) {
    const std::size_t city = tree.joined[i], beside = tree.beside[i];
    const bool far = static_cast<double>(distance(p, static_cast<City>(city), static_cast<City>(beside))) > gap;
    groups.of[city] = far ? groups.count++ : groups.of[beside];
  }
  groups.of[0] = groups.of[tree.nearest_to_first];
  return groups;
}

/// The groups at gaps of 3, 6, ... mean edges, as far as there are several.
std::vector<Groups> groups_of(const Problem& p, const OneTree& tree, double mean_edge) {
  std::vector<Groups> levels;
  for (double gap = 3 * mean_edge;; gap *= 2) {
    Groups groups = groups_apart_by(p, tree, gap);
    if (groups.count == 1) return levels;
    levels.push_back(std::move(groups));
  }
}

/// Moves the prices of each group as a whole, by what its cities' degrees lack together.
void move_groups(const Groups& groups, const std::vector<double>& lacking, double step, std::vector<double>& prices) {
  std::vector<double> together(groups.count, 0);
  for (std::size_t city = 0; city < prices.size(); ++city) together[groups.of[city]] += lacking[city];
  for (std::size_t city = 0; city < prices.size(); ++city) prices[city] += step * together[groups.of[city]];
}

}  // namespace

double held_karp_bound(const Problem& p, int ascents) {
  // Steps for each degree that is missing or too many: of one city, and of a group of cities.
  constexpr double city_step = 0.1, group_step = 0.02;  // mean edges, gaps
  const std::size_t n = at(p.cities);
  std::vector<double> prices(n, 0), lacking(n, 0);
  std::vector<int> before(n, 2);
  std::vector<Groups> levels;
  double best = 0, mean_edge = 0, left = 1;
  for (int ascent = 0; ascent < ascents; ++ascent) {
    const OneTree tree = cheapest_one_tree(p, prices);
    double bound = tree.cost;
    for (const double price : prices) bound -= 2 * price;
    best = std::max(best, bound);
    if (ascent == 0) {
      mean_edge = bound / static_cast<double>(n);
      levels = groups_of(p, tree, mean_edge);
    }
    for (std::size_t city = 0; city < n; ++city) {
      // A part of the last direction damps the swinging to and fro (Volgenant and Jonker 1982).
      lacking[city] = 0.7 * (tree.degrees[city] - 2) + 0.3 * (before[city] - 2);
      prices[city] += left * city_step * mean_edge * lacking[city];
    }
    before = tree.degrees;
    for (const Groups& level : levels) move_groups(level, lacking, left * group_step * level.gap, prices);
    left *= 1 - 4.0 / (ascents + 4);  // to a fiftieth
  }
  return best;
}

int affordable_ascents(City cities) {
  constexpr double distances = 8e8;
  const double n = cities;
  return static_cast<int>(std::clamp(distances / (n * n), 10.0, 300.0));
}

}  // namespace ants
