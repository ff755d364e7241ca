#include "lower_bound.hpp"

#include <algorithm>
#include <limits>

namespace ants {
namespace {

/// A cheapest 1-tree at the cities' prices: a spanning tree of all cities but the first, and its two cheapest edges.
struct OneTree {
  double cost = 0;           ///< with prices
  std::vector<int> degrees;  ///< of each city
};

/// Prim's algorithm over the complete graph, whose edge (a, b) costs distance + price a + price b.
OneTree cheapest_one_tree(const Problem& p, const std::vector<double>& prices) {
  const std::size_t n = at(p.cities);
  const auto cost = [&](std::size_t a, std::size_t b) {
    return static_cast<double>(distance(p, static_cast<City>(a), static_cast<City>(b))) + prices[a] + prices[b];
  };
  OneTree tree{0, std::vector<int>(n, 0)};
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
  tree.degrees[0] = 2, ++tree.degrees[first_city], ++tree.degrees[second_city];
  return tree;
}

}  // namespace

double held_karp_bound(const Problem& p, int ascents) {
  const std::size_t n = at(p.cities);
  std::vector<double> prices(n, 0);
  std::vector<int> before(n, 0);
  double best = 0, step = 0;
  for (int ascent = 0; ascent < ascents; ++ascent) {
    const OneTree tree = cheapest_one_tree(p, prices);
    double bound = tree.cost;
    for (const double price : prices) bound -= 2 * price;
    best = std::max(best, bound);
    // The first step is a tenth of a mean edge for each degree that is missing or too many; steps fall to a hundredth.
    if (ascent == 0) step = 0.1 * bound / static_cast<double>(n), before.assign(n, 2);
    for (std::size_t city = 0; city < n; ++city) {
      // Half of the last direction damps the swinging to and fro (Volgenant and Jonker 1982).
      prices[city] += step * (0.7 * (tree.degrees[city] - 2) + 0.3 * (ascent == 0 ? 0 : before[city] - 2));
      before[city] = tree.degrees[city];
    }
    step *= 1 - 4.0 / (ascents + 4);
  }
  return best;
}

int affordable_ascents(City cities) {
  constexpr double edges = 4e8;
  const double n = cities;
  return static_cast<int>(std::clamp(2 * edges / (n * n), 10.0, 120.0));
}

}  // namespace ants
