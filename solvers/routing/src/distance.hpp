/// Metrics before they are rounded, and what that says of the largest distance.
#pragma once

#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

/// Coordinates that a city needs for the metric: 0, 2 or 3.
int coordinates_of(Metric metric);

/// No distance of the metric exceeds this where coordinates differ by at most dx, dy, dz (>= 0). May be infinite.
double distance_bound(Metric metric, double dx, double dy, double dz);

/// Throws InvalidInput unless there is what the metric needs of every city, and each distance of a matrix has an
/// opposite: that of the smallest int32 is none.
void require_distances(const Instance& instance);

}  // namespace rooftop::routing
