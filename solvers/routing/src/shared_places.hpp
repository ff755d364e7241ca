/// Cities that lie at one place.
#pragma once

#include <optional>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "sites.hpp"

namespace rooftop::routing {

/// The problem in which cities at one place, where there are more than a few, follow one another in every tour: nothing
/// lies between them, and each would have only the others near it. None where no place has so many, or where distances
/// do not follow from places alone. `sites` are the problem's.
[[nodiscard]] std::optional<Instance> with_shared_places_joined(const Instance& instance,
                                                                const std::vector<Site>& sites);

}  // namespace rooftop::routing
