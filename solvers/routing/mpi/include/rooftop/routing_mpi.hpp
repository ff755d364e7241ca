/// Short tours by the ranks of an MPI job, on one host or several.
#pragma once

#include <mpi.h>

#include "rooftop/routing.hpp"

namespace rooftop::routing {

/// Every rank searches as solve() does, from first tours and with random numbers of its own. Four times in the second
/// half of the search the ranks meet, and those with the longer tours go on from the shorter ones. All of them return
/// the shortest tour of all with its rank's history, and the ants of all ranks together.
///
/// `options` are the same on every rank, but for `watch`, which is told of a rank's own best; a rank whose watch ends
/// its search waits for the others at the meetings that are left. `iterations` are shared out: with them, seed and
/// number of ranks settle the result. Collective. Throws InvalidInput on every rank, also for fewer iterations than
/// ranks.
[[nodiscard]] Solution solve(const Instance& instance, const Options& options, MPI_Comm comm);

}  // namespace rooftop::routing
