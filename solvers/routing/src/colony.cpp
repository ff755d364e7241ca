#include "colony.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::routing {
namespace {

constexpr City least_region = 500;  ///< cities; in smaller ones many breaks would cross the border
/// The more there are, the more of what ants change fits no longer.
constexpr City most_regions = 8;

Length length_of(const Costs& costs, const std::vector<City>& order) {
  Length sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) sum += costs(order[i], order[i + 1 == order.size() ? 0 : i + 1]);
  return sum;
}

}  // namespace

Colony::Colony(const Costs& costs, std::vector<City> order, std::uint64_t seed)
    : costs_(&costs),
      tour_(costs, std::move(order)),
      length_(length_of(costs, tour_.order())),
      best_length_(length_),
      best_(tour_.order()),
      seed_(seed),
      trails_(index(std::clamp<City>(costs.cities() / least_region, 1, most_regions))) {}

void Colony::improve(const Candidates& candidates, Patience& patience) {
  LinKernighan search(*costs_, candidates, tour_);
  const std::vector<City> order = tour_.order();
  for (auto city = order.rbegin(); city != order.rend(); ++city) search.wake(*city);
  length_ -= search.run(patience);
  keep_best();
}

Region Colony::region(City number) const {
  const auto n = static_cast<std::int64_t>(costs_->cities());
  const auto first = static_cast<City>(n * number / regions()), end = static_cast<City>(n * (number + 1) / regions());
  const City offset = Random(seed_, rounds_, index(regions())).below(costs_->cities());
  return {static_cast<City>((first + std::int64_t{offset}) % n), end - first, costs_->cities()};
}

void Colony::send(Ant& ant, City number, int walks, double temperature) {
  Trail& trail = trails_[index(number)];
  trail.clear();
  tour_.copy_to(ant.tour());
  Random random(seed_, rounds_, index(number));
  ant.walk(walks, region(number), temperature, random, trail);
}

void Colony::gather() {
  for (Trail& trail : trails_) {
    follow(trail);
    trail.clear();
  }
  keep_best();
  ++rounds_;
}

void Colony::follow(const Trail& trail) {
  const Exchange* exchange = trail.exchanges.data();
  for (const Change& change : trail.changes) {
    tour_.begin();
    bool fits = true;
    for (int i = 0; i < change.exchanges && fits; ++i) fits = follow(exchange[i]);
    exchange += change.exchanges;
    if (fits) {
      length_ += change.longer;
    } else {
      tour_.undo();
    }
  }
  tour_.begin();
}

bool Colony::follow(const Exchange& exchange) {
  for (int e = 0; e < exchange.edges; ++e) {
    if (!tour_.has_edge(exchange.ends[index(2 * e)], exchange.ends[index(2 * e + 1)])) return false;
  }
  ArrayTour::Pieces pieces;
  if (!tour_.joins(exchange, pieces)) return false;
  tour_.apply(pieces);
  return true;
}

void Colony::keep_best() {
  if (length_ >= best_length_) return;
  best_length_ = length_;
  best_ = tour_.order();
}

}  // namespace rooftop::routing
