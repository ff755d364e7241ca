/// The order of cities along Hilbert's curve: cities that follow one another lie near each other.
#pragma once

#include <algorithm>
#include <vector>

#include "problem.hpp"

namespace ants {

/// How far along the curve of 2^20 by 2^20 fields a place lies (D. Hilbert, 1891), from the coarsest quadrant to the
/// finest.
inline std::uint64_t along_hilbert(std::uint32_t x, std::uint32_t y) {
  std::uint64_t along = 0;
  for (std::uint32_t half = 1U << 19U; half > 0; half /= 2) {
    const std::uint32_t right = (x & half) != 0 ? 1 : 0, upper = (y & half) != 0 ? 1 : 0;
    along = 4 * along + ((3 * right) ^ upper);
    if (upper != 0) continue;
    if (right != 0) x = ~x, y = ~y;
    std::swap(x, y);
  }
  return along;
}

/// All cities in the curve's order.
inline std::vector<City> hilbert_order(const Problem& p) {
  std::vector<std::pair<std::uint64_t, City>> places;
  places.reserve(at(p.cities));
  for (City city = 0; city < p.cities; ++city) {
    places.emplace_back(along_hilbert(static_cast<std::uint32_t>(p.x[city]), static_cast<std::uint32_t>(p.y[city])),
                        city);
  }
  std::ranges::sort(places);
  std::vector<City> order;
  order.reserve(places.size());
  for (const auto& [along, city] : places) order.push_back(city);
  return order;
}

}  // namespace ants
