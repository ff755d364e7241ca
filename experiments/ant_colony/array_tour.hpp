/// A tour as an array and each city's place in it: what local search changes.
#pragma once

#include <rooftop/aligned.hpp>
#include <utility>
#include <vector>

#include "ground.hpp"

namespace ants {

/// Candidates that an exchange looks at: more seldom give a better one.
inline constexpr int looked_at = 10;

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
  [[nodiscard]] City on(City c, City places) const { return order_[at(wrapped(place_[at(c)] + places))]; }

  /// A range of places of which the cities change places, from both ends on: what undoes itself when done again.
  struct Flip {
    City first, count;  ///< the range goes on at place 0 after the last one
    bool mirrored;      ///< all but the path asked for was reversed
  };
  /// Reverses the path from city a on to city b, or, where that is less, all that is not in it, and tells so: the same
  /// tour the other way round, in which a path from x on to y is one from y on to x.
  [[nodiscard]] Flip reverse(City a, City b) {
    City first = place_[at(a)], count = place_[at(b)] - first + 1;
    if (count <= 0) count += cities_;
    const bool mirrored = 2 * count > cities_;
    if (mirrored) {
      first = wrapped(first + count);
      count = cities_ - count;
    }
    const Flip flip{first, count, mirrored};
    apply(flip);
    return flip;
  }
  void apply(const Flip& flip) {
    City first = flip.first, last = wrapped(flip.first + flip.count - 1);
    for (City swaps = flip.count / 2; swaps > 0; --swaps) {
      const City left = order_[at(first)], right = order_[at(last)];
      order_[at(first)] = right, place_[at(right)] = first;
      order_[at(last)] = left, place_[at(left)] = last;
      first = wrapped(first + 1);
      last = last == 0 ? cities_ - 1 : last - 1;
    }
  }

 private:
  [[nodiscard]] City wrapped(City place) const { return place < cities_ ? place : place - cities_; }

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
