#include "tolls.hpp"

#include <algorithm>
#include <limits>

namespace rooftop::routing {
namespace {

constexpr double city_rounds = 700'000;  ///< of the search for tolls, times cities: a fraction of a second
constexpr int most_rounds = 60;
constexpr double first_step = 0.3;  ///< of the tree's mean edge

}  // namespace

std::vector<double> find_tolls(const Graph& graph, Patience& patience) {
  const auto cities = static_cast<City>(graph.head.size()) - 1;
  const int rounds = std::min(most_rounds, static_cast<int>(city_rounds / cities));
  std::vector<double> tolls(index(cities), 0), best = tolls;
  std::vector<City> before;
  OneTree tree(graph);
  double longest = -std::numeric_limits<double>::infinity(), scale = 0;
  for (int round = 0; round < rounds && patience.left(); ++round) {
    const double length = tree.find(tolls);
    if (length > longest) longest = length, best = tolls;
    if (round == 0) scale = first_step * (length - graph.fixed) / cities;
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

}  // namespace rooftop::routing
