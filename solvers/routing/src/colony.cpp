#include "colony.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace rooftop::routing {
namespace {

constexpr City least_region = 500;  ///< cities; in smaller ones many breaks would cross the border
constexpr City most_parts = 8;
/// Of a region in a round: some milliseconds. The more there are, the more of what they change fits no longer; the
/// fewer, the larger the part of copying the tour.
constexpr std::int64_t walks_in_region = 20;

Length length_of(const Costs& costs, const std::vector<City>& order) {
  Length sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) sum += costs(order[i], order[i + 1 == order.size() ? 0 : i + 1]);
  return sum;
}

}  // namespace

Colony::Colony(const Costs& costs, const Neighbours& candidates, std::vector<City> order, std::uint64_t seed,
               int threads)
    : costs_(&costs),
      candidates_(&candidates),
      tour_(std::move(order)),
      length_(length_of(costs, tour_.order())),
      best_length_(length_),
      best_(tour_.order()),
      seed_(seed),
      parts_(std::clamp<City>(costs.cities() / least_region, 1, most_parts)),
      trails_(index(parts_)) {
  // A LinKernighan points to its ant's tour: ants are made in their places.
  const int busy = std::min(threads, static_cast<int>(parts_));
  ants_.reserve(index(busy));
  for (int i = 0; i < busy; ++i) ants_.emplace_back(costs, candidates, costs.cities());
}

void Colony::improve(Patience* patience) {
  LinKernighan search(*costs_, *candidates_, tour_);
  const std::vector<City> order = tour_.order();
  for (auto city = order.rbegin(); city != order.rend(); ++city) search.wake(*city);
  length_ -= search.run(nullptr, patience);
  keep_best();
}

Region Colony::region(City part, City offset) const {
  const auto n = static_cast<std::int64_t>(costs_->cities());
  const auto first = static_cast<City>(n * part / parts_), end = static_cast<City>(n * (part + 1) / parts_);
  return {static_cast<City>((first + std::int64_t{offset}) % n), end - first, costs_->cities()};
}

std::int64_t Colony::round(std::int64_t walks, double temperature) {
  walks = std::min(walks, parts_ * walks_in_region);
  const City offset = Random(seed_, rounds_, index(parts_)).below(costs_->cities());
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast<int>(ants_.size()))
  for (City part = 0; part < parts_; ++part) {
    Ant& ant = ants_[static_cast<std::size_t>(omp_get_thread_num())];
    Trail& trail = trails_[index(part)];
    trail.clear();
    tour_.copy_to(ant.tour());
    Random random(seed_, rounds_, index(part));
    const std::int64_t own = walks * (part + 1) / parts_ - walks * part / parts_;
    ant.walk(static_cast<int>(own), region(part, offset), temperature, random, trail);
  }
  for (const Trail& trail : trails_) follow(trail);
  keep_best();
  ++rounds_;
  return walks;
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
