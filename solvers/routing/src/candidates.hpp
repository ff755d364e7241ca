/// Edges that a short tour is likely to have, by Helsgaun's alpha-nearness.
#pragma once

#include "costs.hpp"
#include "neighbours.hpp"

namespace rooftop::routing {

/// Of each city's near ones, symmetric, the `width` of smallest alpha: by how much the shortest 1-tree grows that must
/// have the edge, once each city has a toll for which that tree is nearly a tour (M. Held, R. M. Karp, 1970). Where
/// there are too many cities for the search for tolls, fewer rounds of it are made.
[[nodiscard]] Neighbours alpha_candidates(const Costs& costs, const Neighbours& near, City width);

}  // namespace rooftop::routing
