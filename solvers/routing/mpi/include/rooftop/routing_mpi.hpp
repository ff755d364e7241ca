/// Tours found by the ranks of an MPI job, on one node or several.
#pragma once

#include <mpi.h>

#include "rooftop/routing.hpp"

namespace rooftop::routing {

/// Every rank searches as solve() does, with its own initial tours and random numbers. Four times in the second half of
/// the search, ranks with longer tours take over the shorter ones. All ranks return the shortest tour, with the history
/// of the rank that found it and the number of ants of all ranks.
///
/// `options` are the same on every rank, except `watch`, which is called with the rank's own best tour. A rank whose
/// watch ends its search still takes part in the remaining exchanges. `iterations` are divided among the ranks; they,
/// the seed and the number of ranks then determine the result. Collective. Throws InvalidInput on every rank, also for
/// fewer iterations than ranks.
[[nodiscard]] Solution solve(const Instance& instance, const Options& options, MPI_Comm comm);

}  // namespace rooftop::routing
