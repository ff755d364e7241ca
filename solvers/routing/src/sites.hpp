/// Where cities lie, for finding those that are near.
#pragma once

#include <array>
#include <vector>

#include "city.hpp"
#include "rooftop/tsplib.hpp"

namespace rooftop::routing {

using Site = std::array<double, 3>;

/// A point for each city, such that near cities are near points: on a sphere for Metric::geo. None for Metric::matrix.
[[nodiscard]] std::vector<Site> sites(const Instance& instance);

/// All cities along a space-filling curve (Hilbert's, over x and y); as they are where there are no sites.
[[nodiscard]] std::vector<City> along_curve(const std::vector<Site>& sites, City cities);

}  // namespace rooftop::routing
