/// 2-opt and Or-opt among candidates, with don't-look bits.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "array_tour.hpp"

namespace ants {

class EdgeExchanges {
 public:
  explicit EdgeExchanges(const Ground& ground)
      : p_(ground.problem()), candidates_(ground.candidates()), tour_(ground.cities()), awake_(ground.cities()) {}

  /// Makes a tour shorter until no exchange does, in place; gives its length.
  Length improve(City* tour) {
    tour_.take(tour);
    for (City i = 0; i < p_.cities; ++i) awake_.add(tour[i]);
    for (City city = 0; awake_.next(city);) {
      while (exchanged(city) || moved(city)) awake_.add(city);
    }
    std::copy_n(tour_.order(), p_.cities, tour);
    return tour_length(p_, tour);
  }

 private:
  [[nodiscard]] Length d(City a, City b) const { return distance(p_, a, b); }
  void wake(std::initializer_list<City> cities) {
    for (const City city : cities) awake_.add(city);
  }

  /// 2-opt: a new edge from city to a candidate, which is shorter than the one that leaves the tour at city.
  bool exchanged(City city) {
    for (const bool forth : {true, false}) {
      const City next = forth ? tour_.after(city) : tour_.before(city);
      const Length removed = d(city, next);
      for (int i = 0; i < looked_at; ++i) {
        const City other = candidates_.ids(city)[i];
        const Length added = d(city, other);
        if (added >= removed || other == city) break;
        const City beyond = forth ? tour_.after(other) : tour_.before(other);
        if (removed + d(other, beyond) <= added + d(next, beyond)) continue;
        if (forth) {
          (void)tour_.reverse(next, other);
        } else {
          (void)tour_.reverse(other, next);
        }
        wake({city, next, other, beyond});
        return true;
      }
    }
    return false;
  }

  /// Or-opt: one to three cities from city on go between a candidate of city and its neighbour, either way round.
  bool moved(City city) {
    for (const bool forth : {true, false}) {
      City end = city;
      for (City length = 1; length <= std::min<City>(3, p_.cities - 3); ++length, end = step(end, forth)) {
        if (between(city, end, forth)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] City step(City city, bool forth) const { return forth ? tour_.after(city) : tour_.before(city); }

  /// The path from city on to end, `forth` or back, put where city is beside one of its candidates.
  bool between(City city, City end, bool forth) {
    const City prior = step(city, !forth), next = step(end, forth);
    const Length freed = d(prior, city) + d(end, next) - d(prior, next);
    if (freed <= 0) return false;
    for (int i = 0; i < looked_at; ++i) {
      const City other = candidates_.ids(city)[i];
      const Length added = d(city, other);
      if (added >= freed || other == city) break;
      if (inside(other, city, end, forth)) continue;
      for (const City beside : {step(other, forth), step(other, !forth)}) {
        if (inside(beside, city, end, forth)) continue;  // prior and next: the path stays where it is
        if (added + d(end, beside) - d(other, beside) >= freed) continue;
        put(forth ? city : end, forth ? end : city, city, other, beside);
        wake({prior, next, city, end, other, beside});
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool inside(City sought, City city, City end, bool forth) const {
    for (City each = city;; each = step(each, forth)) {
      if (each == sought) return true;
      if (each == end) return false;
    }
  }

  /// Puts the path from `first` on to `last` between two neighbours elsewhere: `end` of it beside `other`.
  void put(City first, City last, City end, City other, City beside) {
    const City next = tour_.after(last);
    const bool other_left = tour_.after(other) == beside;
    const City left = other_left ? other : beside;
    // prior [first last] next … left right: prior left … next [last first] right: prior next … left [last first] right
    bool mirrored = tour_.reverse(first, left).mirrored;
    mirrored ^= (mirrored ? tour_.reverse(next, left) : tour_.reverse(left, next)).mirrored;
    if (first == last || other_left != (end == first)) return;
    (void)(mirrored ? tour_.reverse(first, last) : tour_.reverse(last, first));
  }

  const Problem& p_;
  const Candidates& candidates_;
  ArrayTour tour_;
  Awake awake_;
};

}  // namespace ants
