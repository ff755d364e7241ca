/// Edges that a short tour is likely to have, by Helsgaun's alpha-nearness.
#pragma once

#include <vector>

#include "costs.hpp"
#include "neighbours.hpp"
#include "spanning_tree.hpp"

namespace rooftop::routing {

/// Of each city's neighbours in the graph, the `width` of smallest alpha: by how much the shortest 1-tree grows that
/// must have the edge, once each city has a toll for which that tree is nearly a tour.
[[nodiscard]] Neighbours alpha_candidates(const Costs& costs, const Graph& graph, const std::vector<double>& tolls,
                                          City width, int threads);

}  // namespace rooftop::routing
