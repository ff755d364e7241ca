/// What the ranks solve for: a body whose arrays are in a folder.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rooftop/elasticity_mpi.hpp"

namespace elasticity_by_ranks {

using Counts = std::array<std::int64_t, 3>;

/// Read this rank's part, solve, and write its displacement. The time until the deadline, in seconds since 1970,
/// includes reading. Throw what solve() throws, and std::system_error.
///
/// Parts of a box that are zeros become those that the ranks cut it into.
rooftop::elasticity::Result solve_box(const std::string& folder, const Counts& nodes, rooftop::elasticity::Parts& parts,
                                      rooftop::elasticity::OptionsByRanks options, double deadline);
rooftop::elasticity::Result solve_mesh(const std::string& folder, rooftop::elasticity::OptionsByRanks options,
                                       double deadline);

/// Some at least: what is late begins, and ends by itself.
double seconds_until(double deadline);
int rank_here();

}  // namespace elasticity_by_ranks
