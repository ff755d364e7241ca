#include "candidates.hpp"

#include <algorithm>
#include <tuple>

#include "exchange_search.hpp"

namespace rooftop::routing {

Neighbours alpha_candidates(const Costs& costs, const Graph& graph, const std::vector<double>& tolls, City width) {
  const City n = costs.cities();
  const LargestEdge largest(graph, tolls);
  Neighbours candidates{std::min(width, n - 1), {}, {}};
  std::vector<std::tuple<double, double, City>> row;
  for (City c = 0; c < n; ++c) {
    row.clear();
    for (auto k = index(graph.head[index(c)]); k < index(graph.head[index(c) + 1]); ++k) {
      const City to = graph.to[k];
      if (costs.fixed(c, to)) continue;
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
  candidates.city.resize(candidates.city.size() + index(most_candidates), 0);
  candidates.cost.resize(candidates.cost.size() + index(most_candidates), 0);
  return candidates;
}

}  // namespace rooftop::routing
