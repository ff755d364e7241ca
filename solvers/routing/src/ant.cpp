#include "ant.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rooftop::routing {
namespace {

constexpr City longest_piece = 50;  ///< cities: shorter ones are mostly put back as they were

std::vector<City> counted(City cities) {
  std::vector<City> order(index(cities));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

Ant::Ant(const Costs& costs, const Candidates& candidates, City cities)
    : costs_(&costs), tour_(costs, counted(cities)), search_(costs, candidates, tour_) {}

void Ant::break_edges(City start, Random& random, Trail& trail, Length& longer) {
  // One city more where the next edge is fixed; two of those never follow one another.
  const City n = tour_.cities(), skipped = costs_->some_fixed() ? 3 : 0;
  const City most = std::min<City>(longest_piece, (n - 1 - skipped) / 3);
  Exchange bridge;
  bridge.edges = 4;
  bridge.double_bridge = true;
  City p = tour_.position(start);
  for (int e = 0; e < 4; ++e) {
    if (costs_->fixed(tour_.at(p), tour_.next(tour_.at(p)))) p = p + 1 == n ? 0 : p + 1;
    const City here = tour_.at(p), next = tour_.next(here);
    bridge.ends[index(2 * e)] = here;
    bridge.ends[index(2 * e + 1)] = next;
    p += 1 + random.below(most);
    if (p >= n) p -= n;
  }
  // The bridge's pairs count from the edge with the lowest position on.
  int lowest = 0;
  for (int e = 1; e < 4; ++e) {
    if (tour_.position(bridge.ends[index(2 * e)]) < tour_.position(bridge.ends[index(2 * lowest)])) lowest = e;
  }
  std::rotate(bridge.ends.begin(), bridge.ends.begin() + 2 * lowest, bridge.ends.begin() + 8);
  ArrayTour::Pieces pieces;
  static_cast<void>(tour_.joins(bridge, pieces));  // as it always does
  for (int end = 0; end < 8; ++end) {
    const City city = bridge.ends[index(end)], other = bridge.ends[index(bridge.partner(end))];
    if (end % 2 == 0) longer -= (*costs_)(city, bridge.ends[index(end + 1)]);
    if (end < bridge.partner(end)) longer += (*costs_)(city, other);
    search_.wake(city);
  }
  tour_.apply(pieces);
  trail.exchanges.push_back(bridge);
}

void Ant::walk(int walks, const Region& region, double temperature, Random& random, Trail& trail) {
  for (int walk = 0; walk < walks; ++walk) {
    tour_.begin();
    const std::size_t before = trail.exchanges.size();
    Length longer = 0;
    break_edges(region.city(random.below(region.size)), random, trail, longer);
    const LinKernighan::Repaired repaired = search_.repair(trail.exchanges);
    longer -= repaired.shorter;
    if (repaired.back) {
      trail.exchanges.resize(before);
      continue;
    }
    const bool taken =
        longer <= 0 || (temperature > 0 && static_cast<double>(longer) < -temperature * std::log(random.unit()));
    if (taken) {
      trail.changes.push_back({longer, static_cast<int>(trail.exchanges.size() - before)});
    } else {
      tour_.undo();
      trail.exchanges.resize(before);
    }
  }
}

}  // namespace rooftop::routing
