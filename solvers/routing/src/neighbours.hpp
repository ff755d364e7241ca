/// Cities that lie near each city.
#pragma once

#include <vector>

#include "city.hpp"
#include "costs.hpp"
#include "patience.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// `width` other cities for each one. Shorter lists are filled up with their last city.
struct Neighbours {
  City width = 0;
  std::vector<City> city;

  [[nodiscard]] const City* of(City c) const { return city.data() + index(c) * index(width); }
};

/// The cities of each list by their cost, `width` in all: of each quadrant around the city up to two of the nearest,
/// and the nearest of all. Towns in rows and clusters would be cut off from one another with the nearest alone. `sites`
/// are the cities' in the order of `costs`; empty where there are none, when rows of costs are searched. Where patience
/// ran out, some lists are of no use.
[[nodiscard]] Neighbours near_neighbours(const Costs& costs, const std::vector<Site>& sites, City width, int threads,
                                         Patience& patience = endless);

/// The nearest of `sites` to each of them, at most `width` (itself left out), nearest first, n width in all; filled up
/// with the last one.
[[nodiscard]] std::vector<City> nearest_sites(const std::vector<Site>& sites, City width, int threads,
                                              Patience& patience = endless);

}  // namespace rooftop::routing
