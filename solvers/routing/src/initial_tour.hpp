/// A tour that a search is given to begin with.
#pragma once

#include <cstdint>
#include <span>

#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

/// Throws InvalidInput unless `order` visits each city once and has all fixed edges.
void require_initial_tour(const Instance& instance, std::span<const std::int32_t> order);

/// Throws InvalidInput for a tour of all cities, called `what`, that lacks a fixed edge.
void require_fixed_edges(const Instance& instance, std::span<const std::int32_t> order, const char* what);

}  // namespace rooftop::routing
