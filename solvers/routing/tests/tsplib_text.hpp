/// Files of the tests, and what the readers make of them.
#pragma once

#include <string>

#include "rooftop/tsplib.hpp"

namespace rooftop::routing::testing {

/// The problem or tour of a file's text.
Instance instance_of(const std::string& text);
Tour tour_of(const std::string& text);

/// What the readers say to a file that they refuse; "" where they take it.
std::string complaint(const std::string& text);
std::string tour_complaint(const std::string& text);

/// A file of TYPE TSP: entries, then sections, then EOF.
std::string problem(const std::string& cities, const std::string& entries_and_sections);
/// The same of cities with coordinates, which `nodes` lists.
std::string plane(const std::string& metric, const std::string& cities, const std::string& nodes);

}  // namespace rooftop::routing::testing
