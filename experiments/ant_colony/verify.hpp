/// How long a tour may be, for what made it.
#pragma once

#include <string_view>

#include "problem.hpp"

namespace ants {

/// By how much of itself the bound may be exceeded; 0 for what is not in the table:
/// "construction among all" (ants that choose among all cities by pheromones and distance), "construction" (the same
/// among near cities), "local search" (2-opt and Or-opt on every tour), "variable depth" (chains of exchanges on every
/// tour), "focused" (one tour, changed at one place by each ant), "solver". Few tours of few cities must pass too.
[[nodiscard]] double tolerance(std::string_view algorithm);

/// By how much of itself the bound is exceeded by the length claimed; 0 where there is no bound yet.
[[nodiscard]] double excess(const Problem& problem, double bound);

}  // namespace ants
