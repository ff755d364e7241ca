/// FIXED_EDGES_SECTION: edges that every tour must use.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scanner.hpp"

namespace rooftop::routing {

using Edges = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Takes pairs of cities up to -1, without which they end at a keyword or with the file. Throws InvalidInput for edges
/// that no tour of all cities can hold together.
Edges read_fixed_edges(Scanner& scanner, std::int32_t cities);

}  // namespace rooftop::routing
