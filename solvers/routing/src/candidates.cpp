#include "candidates.hpp"

#include <algorithm>
#include <tuple>

namespace rooftop::routing {

Candidates alpha_candidates(const Costs& costs, const Graph& graph, const std::vector<double>& tolls, City width,
                            int threads, Patience& patience) {
  const City n = costs.cities();
  OneTree tree(graph);
  tree.find(tolls);
  const LargestEdge largest(n, tree.edges());
  Candidates candidates{std::min(width, n - 1), std::vector<CandidateRow>(index(n))};
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::tuple<double, double, City>> row;
    Asking asking(patience, 64);
#pragma omp for schedule(dynamic, 256)
    for (City c = 0; c < n; ++c) {
      if (!asking.left()) continue;
      row.clear();
      for (auto k = index(graph.head[index(c)]); k < index(graph.head[index(c) + 1]); ++k) {
        const City to = graph.to[k];
        if (costs.fixed(c, to)) continue;
        const double cost = graph.cost[k] + tolls[index(c)] + tolls[index(to)];
        row.emplace_back(std::max(0.0, cost - largest.between(c, to)), cost, to);
      }
      std::sort(row.begin(), row.end());
      for (City k = 0; k < most_candidates; ++k) {
        const City to = std::get<City>(row[std::min(index(std::min(k, candidates.width - 1)), row.size() - 1)]);
        candidates.of[index(c)].city[index(k)] = to;
        candidates.of[index(c)].cost[index(k)] = costs(c, to);
      }
    }
  }
  return candidates;
}

}  // namespace rooftop::routing
