/// A tour of edges that are taken one after the other.
#pragma once

#include <functional>
#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"
#include "patience.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// By what an edge is judged: the lower, the sooner it is taken. The same in both directions.
using Price = std::function<double(City, City)>;

/// Takes what is fixed, then the edge of the lowest price that fits, again and again: among near cities first, then
/// among the ends of the paths that stand, found anew until one path is left. Without sites the ends are joined in the
/// order of the cities, and so are those that stand when patience runs out.
[[nodiscard]] std::vector<City> greedy_tour(const Costs& costs, const Price& price, const Neighbours& near,
                                            const std::vector<Site>& sites, int threads, Patience& patience = endless);

/// Takes what is fixed, and else the order of the cities: a tour in no time.
[[nodiscard]] std::vector<City> tour_in_order(const Costs& costs);

}  // namespace rooftop::routing
