/// A length that no tour falls below: what tours are held against.
#pragma once

#include <vector>

#include "problem.hpp"

namespace ants {

/// Held and Karp's bound by subgradient ascent over 1-trees (M. Held, R. M. Karp, "The traveling-salesman problem and
/// minimum spanning trees: part II", 1971). Where cities lie in clusters the ascent also moves the prices of each
/// cluster as a whole: one city at a time they would take thousands of trees to rise. Random tours of the shortest
/// length lie some 0.7 % above the bound at its best; the ascent stops sooner, hence up to 2 % more.
/// O(cities^2) for each of at most `ascents` trees. Units of the result: those of `distance`. A mean edge of length 0
/// (all cities at one point) gives 0.
[[nodiscard]] double held_karp_bound(const Problem& problem, int ascents);

/// So many ascents take some three seconds at most up to 9000 cities, and at least ten are made.
[[nodiscard]] int affordable_ascents(City cities);

}  // namespace ants
