/// A length that no tour falls below: what tours are held against.
#pragma once

#include <vector>

#include "problem.hpp"

namespace ants {

/// Held and Karp's bound by subgradient ascent over 1-trees (M. Held, R. M. Karp, "The traveling-salesman problem and
/// minimum spanning trees: part II", 1971). Uniform random tours of the shortest length lie some 0.7 % above the bound
/// at its best; the ascent stops sooner, hence up to 2 % more. O(cities^2) for each of at most `ascents` trees.
[[nodiscard]] double held_karp_bound(const Problem& problem, int ascents);

/// So many ascents take about a second at most, and at least ten are made.
[[nodiscard]] int affordable_ascents(City cities);

}  // namespace ants
