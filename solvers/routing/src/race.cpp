#include "race.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "schedule.hpp"

namespace rooftop::routing {
namespace {

/// Colonies times cities: with more, the tour that is left would be walked on too rarely.
constexpr City most_cities = 100'000;
constexpr City most_colonies = 8;
/// Two go on to the end: one alone would have too few regions for two threads, and may be the wrong one.
constexpr City few_cities = 2'000;
constexpr double given_up = 0.5;  ///< of the whole search: by then only those are left that go on to the end
/// Of a region in a round: some milliseconds. The more there are, the more of what they change fits no longer; the
/// fewer, the larger the part of copying the tour.
constexpr std::int64_t walks_in_region = 20;
/// Of ants to regions until all colonies wait for one another: they do so for the best tour, time and temperature.
constexpr std::int64_t least_shifts = 16;

}  // namespace

Race::Race(const Terrain& terrain, const Candidates& candidates, std::uint64_t seed, int threads, int number)
    : terrain_(terrain),
      candidates_(&candidates),
      seed_(seed),
      threads_(threads),
      number_(number),
      colonies_(index(std::clamp<City>(most_cities / terrain.costs.cities(), 1, most_colonies))),
      left_(terrain.costs.cities() < few_cities ? 2 : 1),
      halvings_(0),
      best_length_(std::numeric_limits<Length>::max()) {
  for (std::size_t count = colonies_.size(); count > left_; count = (count + 1) / 2) ++halvings_;
}

void Race::set_out(Patience& patience, const std::vector<City>& initial) {
  const auto count = static_cast<int>(colonies_.size());
  const int at_once = std::min(count, threads_), each = threads_ / at_once;
#pragma omp parallel for schedule(dynamic, 1) num_threads(at_once)
  for (int i = 0; i < count; ++i) {
    if (i > 0 && !patience.left()) continue;
    const std::uint64_t seed = Random(seed_, static_cast<std::uint64_t>(i), 1).bits();
    const bool given = !initial.empty() && number_ == 0 && i == 0;
    colonies_[static_cast<std::size_t>(i)] = std::make_unique<Colony>(
        terrain_.costs, given ? initial : first_tour(number_ * count + i, terrain_, seed_, each, patience), seed);
  }
  std::erase(colonies_, nullptr);
  keep_best();
}

void Race::improve(Patience& patience) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(std::min(threads_, static_cast<int>(colonies_.size())))
  for (std::size_t i = 0; i < colonies_.size(); ++i) colonies_[i]->improve(*candidates_, patience);
  keep_best();
}

std::int64_t Race::rounds(std::int64_t walks, double temperature, double done, Patience& patience) {
  give_up(done);
  const City regions = colonies_.front()->regions();
  const auto at_once = static_cast<std::int64_t>(colonies_.size()) * regions;
  // One colony alone would gain nothing.
  const auto rounds = colonies_.size() == 1 ? 1 : std::max<std::int64_t>(least_shifts / at_once, 1);
  const auto shifts = rounds * at_once;
  walks = std::min(walks, shifts * walks_in_region);
  const int busy = static_cast<int>(std::min<std::int64_t>(threads_, at_once));
  ants_.resize(std::max(ants_.size(), static_cast<std::size_t>(busy)));
  Schedule schedule(colonies_.size(), regions, static_cast<int>(rounds));
  std::int64_t walked = 0;
#pragma omp parallel num_threads(busy) reduction(+ : walked)
  while (const auto shift = schedule.take()) {
    const auto i = shift->round * at_once + static_cast<std::int64_t>(shift->colony) * regions + shift->region;
    const std::int64_t own = walks * (i + 1) / shifts - walks * i / shifts;
    Colony& colony = *colonies_[shift->colony];
    if (own > 0 && patience.left()) {
      std::unique_ptr<Ant>& ant = ants_[static_cast<std::size_t>(omp_get_thread_num())];
      if (ant == nullptr) ant = std::make_unique<Ant>(terrain_.costs, *candidates_, terrain_.costs.cities());
      colony.send(*ant, shift->region, static_cast<int>(own), temperature);
      walked += own;
    }
    if (!schedule.give_back(*shift)) continue;
    colony.gather();
    schedule.gathered(*shift);
  }
  keep_best();
  return walked;
}

void Race::take_over(std::vector<City> order) {
  const auto longest = std::max_element(colonies_.begin(), colonies_.end(),
                                        [](const auto& a, const auto& b) { return a->length() < b->length(); });
  const std::uint64_t seed = Random(seed_, taken_over_++, 2).bits();
  *longest = std::make_unique<Colony>(terrain_.costs, std::move(order), seed);
  keep_best();
}

void Race::give_up(double done) {
  if (halved_ == halvings_ || done < given_up * (halved_ + 1) / halvings_) return;
  std::sort(colonies_.begin(), colonies_.end(), [](const auto& a, const auto& b) { return a->length() < b->length(); });
  colonies_.resize(std::max(left_, (colonies_.size() + 1) / 2));
  ++halved_;
}

void Race::keep_best() {
  for (const auto& colony : colonies_) {
    if (colony->best_length() >= best_length_) continue;
    best_length_ = colony->best_length();
    best_ = colony->best();
  }
}

}  // namespace rooftop::routing
