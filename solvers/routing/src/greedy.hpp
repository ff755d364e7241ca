/// A tour of edges that are taken one after the other.
#pragma once

#include <functional>
#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// By what an edge is judged: the lower, the sooner it is taken. The same in both directions.
using Price = std::function<double(City, City)>;

/// Takes what is fixed, then the edge of the lowest price that fits, again and again: among near cities first, then
/// among the ends of the paths that stand, found anew until one path is left. Without sites the ends are joined in the
/// order of the cities.
[[nodiscard]] std::vector<City> greedy_tour(const Costs& costs, const Price& price, const Neighbours& near,
                                            const std::vector<Site>& sites, int threads);

}  // namespace rooftop::routing
