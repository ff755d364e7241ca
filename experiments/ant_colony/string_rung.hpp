/// What rungs that differ in their allocator alone have in common: the baseline's colony over one source of memory.
#pragma once

#include <algorithm>
#include <rooftop/rung.hpp>

#include "string_ants.hpp"

namespace ants {

/// Tours of text grow by copying, and pheromones with the square of the cities.
inline constexpr City most_cities_of_matrix = 5000;

inline void require_matrix_fits(const Problem& p) {
  if (p.cities > most_cities_of_matrix) {
    throw rooftop::Skip("pheromones for every two cities, eight times: " +
                        std::to_string(8e-9 * p.cities * p.cities * (1 + processes)) + " GB");
  }
}

/// A step reads a row of pheromones and one of attractions, draws (multiply, add) for every city that is left, on
/// average half of them, and copies half a text, of which a city takes some 4 bytes.
inline rooftop::Work matrix_work(const Problem& p, double bytes_of_value, bool texts) {
  const double n = p.cities, steps = static_cast<double>(p.tours) * n;
  const double text_bytes = texts ? steps * n * 4 : 0, updates = 2 * static_cast<double>(p.tours) / ants_of_group;
  return {.fma_flops = steps * n,
          .add_flops = updates / 2 * n * n,
          .memory_bytes = (steps * 2 + updates * n) * n * bytes_of_value + text_bytes,
          .working_set_bytes = (1 + processes) * n * n * bytes_of_value,
          .algorithm = "construction among all"};
}

template <typename Source>
class StringMonths : public rooftop::Rung {
 public:
  explicit StringMonths(const Problem& problem) : p_(problem) { require_matrix_fits(p_); }

  void run() override {
    p_.ledger->memory_bytes = static_cast<std::int64_t>(StringColony<Source>::memory_bytes(p_, processes));
    StringColony<Source> colony(p_, 0, 1);
    for (std::int64_t month = 0; month < months(p_); ++month) colony.month(month);
    const auto cities = cities_of<Source>(colony.best().path);
    std::copy(cities.begin(), cities.end(), p_.tour);
    *p_.length = colony.best().length;
  }

  [[nodiscard]] rooftop::Work work() const override { return matrix_work(p_, sizeof(double), true); }

 private:
  const Problem& p_;
};

}  // namespace ants
