/// An ant changes a tour at one place instead of building another: four edges are broken, and repaired by chains.
/// Changed from 80-variable-depth: each thread has one tour. An ant puts three pieces of up to 50 cities the other way
/// round, looks only where edges have changed, adds up differences, and takes all back if the tour is longer than it
/// was. At a month's end the shortest tour is everybody's. Limit attacked: O(n) for each tour, most of it as it was
/// before. Evidence: tours a second no longer fall with the cities, and the excess is the least so far for the same
/// time. Source: R. Skinderowicz, 2022; O. Martin, S. W. Otto, E. W. Felten, 1991, for the double bridge.
#include <memory>
#include <rooftop/rung.hpp>

#include "chains.hpp"
#include "edge_exchanges.hpp"
#include "vector_walk.hpp"

namespace {

using ants::City;
using ants::Length;

/// One thread's tour, and the ants that change it.
class Place {
 public:
  explicit Place(const ants::Ground& ground)
      : p_(ground.problem()), chains_(ground), piece_(std::min<City>(50, p_.cities / 8)) {}

  void take(const City* tour, Length length) {
    chains_.take(tour);
    length_ = length;
  }
  void search_everywhere() {
    for (City i = 0; i < p_.cities; ++i) chains_.wake(i);
    length_ -= chains_.run();
    chains_.keep();
  }
  void ants(std::int64_t count, ants::Chance chance) {
    for (; count > 0; --count) {
      const Length gain = broken(chance) + chains_.run();
      if (gain < 0) {
        chains_.undo();
      } else {
        chains_.keep();
        length_ -= gain;
      }
    }
  }
  [[nodiscard]] Length length() const { return length_; }
  [[nodiscard]] const City* order() const { return chains_.tour().order(); }

 private:
  /// before P Q R behind: before R Q P behind, no piece turned round. Gives what is gained, most often less than 0.
  Length broken(ants::Chance& chance) {
    const ants::ArrayTour& tour = chains_.tour();
    const City before = chance.below(p_.cities);
    const City p = 1 + chance.below(piece_), q = p + 1 + chance.below(piece_), r = q + 1 + chance.below(piece_);
    const City p_first = tour.on(before, 1), p_last = tour.on(before, p), q_first = tour.on(before, p + 1);
    const City q_last = tour.on(before, q), r_first = tour.on(before, q + 1), r_last = tour.on(before, r);
    const City behind = tour.on(before, r + 1);
    // Three eighths of the cities at most: never is the rest reversed instead.
    chains_.reverse(p_first, r_last);
    chains_.reverse(r_last, r_first);
    chains_.reverse(q_last, q_first);
    chains_.reverse(p_last, p_first);
    for (const City city : {before, p_first, p_last, q_first, q_last, r_first, r_last, behind}) chains_.wake(city);
    return d(before, p_first) + d(p_last, q_first) + d(q_last, r_first) + d(r_last, behind) - d(before, r_first) -
           d(r_last, q_first) - d(q_last, p_first) - d(p_last, behind);
  }
  [[nodiscard]] Length d(City a, City b) const { return ants::distance(p_, a, b); }

  const ants::Problem& p_;
  ants::Chains chains_;
  City piece_;
  Length length_ = 0;
};

class FocusedAnts : public rooftop::Rung {
 public:
  explicit FocusedAnts(const ants::Problem& problem)
      : p_(problem), ground_(problem, true), places_(ants::at(p_.threads)), start_(ants::at(p_.cities) * 8) {}

  void run() override {
    p_.ledger->memory_bytes = static_cast<std::int64_t>(work().working_set_bytes);
    ground_.survey();
#pragma omp parallel for num_threads(p_.threads) schedule(static)
    for (auto& place : places_) {
      if (!place) place = std::make_unique<Place>(ground_);
    }
    Place* best = places_.front().get();
    build(*best);
    for (std::int64_t month = 0; month < months; ++month) {
      for (const auto& place : places_) {
        if (place.get() != best) place->take(best->order(), best->length());
      }
      const auto threads = static_cast<std::int64_t>(places_.size());
      const std::int64_t of_month = p_.tours * (month + 1) / months - p_.tours * month / months;
      ants::MonthClock clock(p_.threads);
#pragma omp parallel num_threads(p_.threads)
      {
#pragma omp for schedule(static) nowait
        for (std::int64_t i = 0; i < threads; ++i) {
          places_[ants::at(i)]->ants(of_month * (i + 1) / threads - of_month * i / threads,
                                     ants::Chance(ground_.problem(), month * threads + i, 1, 0));
        }
        clock.done();
      }
      const std::int64_t start_ns = rooftop::now_ns();
      for (const auto& place : places_) {
        if (place->length() < best->length()) best = place.get();
      }
      p_.ledger->serial_ns += rooftop::now_ns() - start_ns;
      p_.ledger->waiting_ns += clock.waited_ns();
    }
    ground_.tell(best->order());
  }

  // No flops and bytes: how many exchanges an ant tries depends on the tour.
  [[nodiscard]] rooftop::Work work() const override {
    return {.working_set_bytes = static_cast<double>(p_.cities) * (8 * ants::width + 16 + 12 * p_.threads),
            .algorithm = "focused"};
  }

 private:
  static constexpr std::int64_t months = 16;

  /// The best tour of one group of ants, improved everywhere.
  void build(Place& place) {
    ants::Trails trails(ground_);
    trails.start();
    ants::Group group;
    for (int ant = 0; ant < ants::ants_of_group; ++ant) {
      group[ants::at(ant)] = start_.data() + ants::at(ant) * ants::at(p_.cities);
    }
    ants::VectorWalk<4, true>(ground_).walk(trails, 0, 0, group);
    ants::EdgeExchanges exchanges(ground_);
    Length shortest = std::numeric_limits<Length>::max();
    for (City* const tour : group) {
      const Length length = exchanges.improve(tour);
      if (length < shortest) place.take(tour, shortest = length);
    }
    place.search_everywhere();
  }

  const ants::Problem& p_;
  ants::Ground ground_;
  std::vector<std::unique_ptr<Place>> places_;
  rooftop::AlignedArray<City> start_;
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, FocusedAnts);
