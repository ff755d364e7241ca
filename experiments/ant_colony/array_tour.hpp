/// A tour as an array and each city's place in it: what local search changes.
#pragma once

#include <rooftop/aligned.hpp>
#include <utility>
#include <vector>

#include "ground.hpp"

namespace ants {

class ArrayTour {
 public:
  explicit ArrayTour(City cities) : cities_(cities), order_(at(cities)), place_(at(cities)) {}

  void take(const City* tour) {
    for (City i = 0; i < cities_; ++i) order_[at(i)] = tour[i], place_[at(tour[i])] = i;
  }
  [[nodiscard]] const City* order() const { return order_.data(); }
  [[nodiscard]] City cities() const { return cities_; }
  [[nodiscard]] City after(City c) const { return order_[at(place_[at(c)] + 1 == cities_ ? 0 : place_[at(c)] + 1)]; }
  [[nodiscard]] City before(City c) const { return order_[at(place_[at(c)] == 0 ? cities_ - 1 : place_[at(c)] - 1)]; }
  /// The city so many places on, of less than `cities`.
  [[nodiscard]] City on(City c, City places) const {
    const City place = place_[at(c)] + places;
    return order_[at(place < cities_ ? place : place - cities_)];
  }

  /// Reverses the path from city a on to city b, or, where that is less, all that is not in it, and gives true: the
  /// same tour the other way round, in which the path from x on to y is one from y on to x.
  [[nodiscard]] bool reverse(City a, City b) {
    City first = place_[at(a)], last = place_[at(b)];
    City inside = last - first + 1;
    if (inside <= 0) inside += cities_;
    const bool mirrored = 2 * inside > cities_;
    if (mirrored) {
      std::swap(first, last);
      first = first + 1 == cities_ ? 0 : first + 1;
      last = last == 0 ? cities_ - 1 : last - 1;
      inside = cities_ - inside;
    }
    for (City swaps = inside / 2; swaps > 0; --swaps) {
      const City left = order_[at(first)], right = order_[at(last)];
      order_[at(first)] = right, place_[at(right)] = first;
      order_[at(last)] = left, place_[at(left)] = last;
      first = first + 1 == cities_ ? 0 : first + 1;
      last = last == 0 ? cities_ - 1 : last - 1;
    }
    return mirrored;
  }

 private:
  City cities_;
  rooftop::AlignedArray<City> order_, place_;
};

/// Cities whose neighbourhood has changed: the others need not be looked at (J. L. Bentley's don't-look bits, 1992).
class Awake {
 public:
  explicit Awake(City cities) : waiting_(at(cities), false) { queue_.reserve(at(cities)); }
  void add(City city) {
    if (waiting_[at(city)]) return;
    waiting_[at(city)] = true;
    queue_.push_back(city);
  }
  /// In the order in which they came.
  [[nodiscard]] bool next(City& city) {
    if (first_ == queue_.size()) {
      queue_.clear(), first_ = 0;
      return false;
    }
    city = queue_[first_++];
    waiting_[at(city)] = false;
    return true;
  }

 private:
  std::vector<bool> waiting_;
  std::vector<City> queue_;
  std::size_t first_ = 0;
};

}  // namespace ants
