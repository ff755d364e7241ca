/// Cities with neighbouring numbers, which lie near one another where numbers follow a space-filling curve.
#pragma once

#include "city.hpp"

namespace rooftop::routing {

/// `size` cities from `first` on, the last one being followed by city 0.
struct Region {
  City first, size, cities;

  [[nodiscard]] bool contains(City city) const {
    const City behind = city - first;
    return (behind < 0 ? behind + cities : behind) < size;
  }
  [[nodiscard]] City city(City i) const {
    const City sum = first + i;
    return sum >= cities ? sum - cities : sum;
  }
};

}  // namespace rooftop::routing
