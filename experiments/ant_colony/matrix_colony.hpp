/// An iteration process over arrays: a matrix of choices, and the tour at hand.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <rooftop/aligned.hpp>
#include <utility>

#include "months.hpp"

namespace ants {

/// Values of one city's row: rows are padded with zeros, which are never drawn.
inline constexpr std::size_t part = 16;
inline std::size_t row_of(const Problem& p) { return (at(p.cities) + part - 1) / part * part; }

inline void fill_attractions(const Problem& p, City a, float* row) {
  for (City b = 0; b < p.cities; ++b) {
    row[b] = a == b ? 0 : static_cast<float>(attraction(static_cast<double>(distance(p, a, b))));
  }
  std::fill(row + p.cities, row + row_of(p), 0.0F);
}

class MatrixProcess {
 public:
  MatrixProcess(const Problem& p, int number)
      : p_(p),
        number_(number),
        row_(row_of(p)),
        pheromones_(at(p.cities) * row_),
        choices_(at(p.cities) * row_),
        left_(row_),
        sums_(row_ / part),
        tour_(at(p.cities)),
        best_(at(p.cities)) {}

  void start(const float* attractions) {
    best_length_ = std::numeric_limits<Length>::max();
    std::ranges::fill(pheromones_, static_cast<float>(first_pheromone));
    std::copy_n(attractions, choices_.size(), choices_.data());
  }

  void month(std::int64_t month, const float* attractions) {
    std::int64_t built_ns = 0;
    for (int ant = 0; ant < ants_of_group; ++ant) {
      const std::int64_t began_ns = rooftop::now_ns();
      walk(Chance(p_, month, number_, ant));
      built_ns += rooftop::now_ns() - began_ns;
      const Length length = tour_length(p_, tour_.data());
      if (length >= best_length_) continue;
      best_length_ = length;
      std::swap(tour_, best_);
    }
    p_.ledger->construction_ns += built_ns;
    p_.ledger->construction_steps += std::int64_t{ants_of_group} * p_.cities;
    renew(attractions);
  }

  [[nodiscard]] Length best_length() const { return best_length_; }
  [[nodiscard]] const City* best_tour() const { return best_.data(); }

 private:
  void walk(Chance chance) {
    std::fill_n(left_.data(), p_.cities, 1.0F);
    std::fill(left_.data() + p_.cities, left_.end(), 0.0F);
    City here = chance.below(p_.cities);
    for (City step = 0;; ++step) {
      tour_[at(step)] = here;
      left_[at(here)] = 0;
      if (step + 1 == p_.cities) return;
      here = drawn(choices_.data() + at(here) * row_, chance.next());
    }
  }

  /// City c by choices[c] / their sum, of those that are left.
  City drawn(const float* choices, float chance) {
    float sum = 0;
    for (std::size_t block = 0; block < sums_.size(); ++block) {
      std::array<float, 4> sums{};
      for (std::size_t i = block * part; i < (block + 1) * part; i += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += choices[i + lane] * left_[i + lane];
      }
      sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
      sums_[block] = sum;
    }
    const float drawn = sum * chance;
    // Rounding may draw more than there is, or from a part with nothing left: the last city that is left then.
    std::size_t block = 0;
    while (block + 1 < sums_.size() && sums_[block] <= drawn) ++block;
    float before = block == 0 ? 0 : sums_[block - 1];
    City last = -1;
    for (std::size_t i = block * part; i < (block + 1) * part; ++i) {
      if (left_[i] == 0) continue;
      last = static_cast<City>(i);
      before += choices[i];
      if (before > drawn) return last;
    }
    if (last >= 0) return last;
    const auto* const found = std::ranges::find(left_, 1.0F);
    return static_cast<City>(found - left_.data());
  }

  void renew(const float* attractions) {
    const auto fading = static_cast<float>(1 - evaporation), least = static_cast<float>(least_pheromone);
    for (float& pheromone : pheromones_) pheromone = std::max(fading * pheromone, least);
    for (City i = 0; i < p_.cities; ++i) {
      const std::size_t a = at(best_[at(i)]), b = at(best_[at(i + 1 == p_.cities ? 0 : i + 1)]);
      pheromones_[a * row_ + b] += static_cast<float>(evaporation);
      pheromones_[b * row_ + a] += static_cast<float>(evaporation);
    }
    for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i] = pheromones_[i] * attractions[i];
  }

  const Problem& p_;
  int number_;
  std::size_t row_;
  rooftop::AlignedArray<float> pheromones_, choices_, left_, sums_;
  rooftop::AlignedArray<City> tour_, best_;
  Length best_length_ = 0;
};

}  // namespace ants
