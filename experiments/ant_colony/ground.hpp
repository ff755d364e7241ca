/// What all ants of a rung with candidate lists walk on.
#pragma once

#include <vector>

#include "candidates.hpp"
#include "hilbert.hpp"

namespace ants {

/// Cities keep their numbers, or are numbered along Hilbert's curve, whichever is asked for.
class Ground {
 public:
  Ground(const Problem& problem, bool renumbered)
      : problem_(problem), renumbered_(renumbered), candidates_(problem.cities), place_(at(problem.cities)) {}

  void survey() {
    std::vector<City> order = hilbert_order(problem_);
    own_ = problem_;
    names_.clear();
    if (renumbered_) {
      names_ = order;
      x_.resize(order.size()), y_.resize(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        x_[i] = problem_.x[order[i]], y_[i] = problem_.y[order[i]], order[i] = static_cast<City>(i);
      }
      own_.x = x_.data(), own_.y = y_.data();
    }
    order_ = std::move(order);
    for (std::size_t i = 0; i < order_.size(); ++i) place_[at(order_[i])] = static_cast<City>(i);
    candidates_.find(own_);
  }

  /// Writes the result of a rung that has come to this tour.
  void tell(const City* tour) const {
    for (City i = 0; i < own_.cities; ++i) {
      problem_.tour[i] = renumbered_ ? names_[at(tour[i])] : tour[i];
    }
    *problem_.length = tour_length(problem_, problem_.tour);
  }

  [[nodiscard]] const Problem& problem() const { return own_; }
  [[nodiscard]] City cities() const { return problem_.cities; }
  [[nodiscard]] const Candidates& candidates() const { return candidates_; }
  /// City at a place along the curve, and the place of a city.
  [[nodiscard]] City on_curve(City place) const { return order_[at(place)]; }
  [[nodiscard]] City place(City city) const { return place_[at(city)]; }

 private:
  const Problem& problem_;
  bool renumbered_;
  Problem own_{};
  Candidates candidates_;
  std::vector<double> x_, y_;
  std::vector<City> names_, order_, place_;
};

}  // namespace ants
