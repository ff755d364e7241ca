/// A first tour.
#pragma once

#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// Takes the shortest edge that fits, again and again: among near cities first, then among the ends of the paths that
/// stand, found anew until one path is left. Without sites the ends are joined in the order of the cities.
[[nodiscard]] std::vector<City> greedy_tour(const Costs& costs, const Neighbours& near, const std::vector<Site>& sites,
                                            int threads);

}  // namespace rooftop::routing
