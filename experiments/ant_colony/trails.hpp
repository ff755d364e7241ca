/// The pheromones of one process on the edges to candidates: 16 for each city instead of one for every two.
#pragma once

#include <rooftop/aligned.hpp>

#include "ground.hpp"

namespace ants {

class Trails {
 public:
  explicit Trails(const Ground& ground)
      : ground_(ground), pheromones_(at(ground.cities()) * width), choices_(at(ground.cities()) * width) {}

  void start() {
    std::ranges::fill(pheromones_, static_cast<float>(first_pheromone));
    multiply();
  }

  /// All pheromones fade; those of this tour's edges are renewed, both ways.
  void renew(const City* tour) {
    const auto fading = static_cast<float>(1 - evaporation), least = static_cast<float>(least_pheromone);
    for (float& pheromone : pheromones_) pheromone = std::max(fading * pheromone, least);
    for (City i = 0; i < ground_.cities(); ++i) {
      const City a = tour[i], b = tour[i + 1 == ground_.cities() ? 0 : i + 1];
      strengthen(a, b);
      strengthen(b, a);
    }
    multiply();
  }

  /// Pheromone * attraction for each candidate of a city, 64-byte aligned.
  [[nodiscard]] const float* choices(City city) const { return choices_.data() + at(city) * width; }

 private:
  void strengthen(City from, City to) {
    const City* const ids = ground_.candidates().ids(from);
    for (int i = 0; i < width; ++i) {
      if (ids[i] == to) pheromones_[at(from) * width + at(i)] += static_cast<float>(evaporation);
    }
  }
  void multiply() {
    const float* const attractions = ground_.candidates().attractions(0);
    for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i] = pheromones_[i] * attractions[i];
  }

  const Ground& ground_;
  rooftop::AlignedArray<float> pheromones_, choices_;
};

}  // namespace ants
