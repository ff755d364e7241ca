/// Sections that give each city some reals: coordinates, places for drawing, demands.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "keywords.hpp"
#include "scanner.hpp"

namespace rooftop::routing {

/// columns[c][i]: real c of city i
struct NodeTable {
  std::array<std::vector<double>, 3> columns;
};

/// Takes a line for each city, in any order: its number and `width` (1 to 3) reals. Throws InvalidInput unless each
/// city comes once.
NodeTable read_node_table(Scanner& scanner, Key section, std::int32_t cities, int width);

/// A city's number, from 1 to `cities`, as its index from 0. Throws InvalidInput for others.
std::int32_t to_index(const Scanner& scanner, std::int64_t node, Key section, std::int32_t cities);

/// Throws InvalidInput for a section that ends after `done` of `expected` things, called `what`.
[[noreturn]] void fail_at_end(Scanner& scanner, Key section, std::size_t done, std::size_t expected, const char* what);

}  // namespace rooftop::routing
