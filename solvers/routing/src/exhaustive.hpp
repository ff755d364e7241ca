/// The shortest tour of few nodes.
#pragma once

#include <vector>

#include "costs.hpp"

namespace rooftop::routing {

/// By trying all of them, mates lying beside one another. Takes a second where nodes, mates counted once, are 10, and
/// ten times as long with each further one.
[[nodiscard]] std::vector<City> shortest_of_all(const Costs& costs);

}  // namespace rooftop::routing
