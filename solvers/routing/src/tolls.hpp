/// Tolls that cities take for each edge, which leave tours' order by length as it is.
#pragma once

#include <vector>

#include "patience.hpp"
#include "spanning_tree.hpp"

namespace rooftop::routing {

/// Tolls for which the graph's shortest 1-tree is long, that is, has few cities of a degree other than 2 (M. Held, R.
/// M. Karp, 1970). Where there are too many cities for the search, fewer rounds of it are made,
/// and fewer than that where patience runs out.
[[nodiscard]] std::vector<double> find_tolls(const Graph& graph, Patience& patience = endless);

}  // namespace rooftop::routing
