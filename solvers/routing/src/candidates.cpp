#include "candidates.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "spanning_tree.hpp"

namespace rooftop::routing {
namespace {

constexpr double city_rounds = 700'000;  ///< of the search for tolls, times cities: a fraction of a second
constexpr int most_rounds = 60;
constexpr double first_step = 0.3;  ///< of the tree's mean edge

/// Tolls for which the shortest 1-tree is long, that is, has few cities of a degree other than 2.
std::vector<double> find_tolls(const Graph& graph, City cities) {
  const int rounds = std::min(most_rounds, static_cast<int>(city_rounds / cities));
  std::vector<double> tolls(index(cities), 0), best = tolls;
  std::vector<City> before;
  OneTree tree(graph);
  double longest = -std::numeric_limits<double>::infinity(), scale = 0;
  for (int round = 0; round < rounds; ++round) {
    const double length = tree.find(tolls);
    if (length > longest) longest = length, best = tolls;
    if (round == 0) scale = first_step * length / cities;
    const double left = 1 - static_cast<double>(round) / (rounds - 1), step = scale * left * left;
    if (before.empty()) before = tree.degrees();
    for (std::size_t c = 0; c < tolls.size(); ++c) {
      // Some of the last direction keeps tolls from swinging.
      tolls[c] += step * (0.7 * (tree.degrees()[c] - 2) + 0.3 * (before[c] - 2));
    }
    before = tree.degrees();
  }
  return best;
}

}  // namespace

Neighbours alpha_candidates(const Costs& costs, const Neighbours& near, City width) {
  const City n = costs.cities();
  const Graph graph = symmetric(costs, near);
  const std::vector<double> tolls = find_tolls(graph, n);
  const LargestEdge largest(graph, tolls);
  Neighbours candidates{std::min(width, n - 1), {}, {}};
  std::vector<std::tuple<double, double, City>> row;
  for (City c = 0; c < n; ++c) {
    row.clear();
    for (auto k = index(graph.head[index(c)]); k < index(graph.head[index(c) + 1]); ++k) {
      const City to = graph.to[k];
      const double cost = graph.cost[k] + tolls[index(c)] + tolls[index(to)];
      row.emplace_back(std::max(0.0, cost - largest.between(c, to)), cost, to);
    }
    std::sort(row.begin(), row.end());
    for (City k = 0; k < candidates.width; ++k) {
      const City to = std::get<City>(row[std::min(index(k), row.size() - 1)]);
      candidates.city.push_back(to);
      candidates.cost.push_back(costs(c, to));
    }
  }
  return candidates;
}

}  // namespace rooftop::routing
