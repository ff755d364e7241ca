/// Writes of an array that lies in one piece, by all ranks at once but for those that write the same elements.
#pragma once

#include <cstddef>
#include <vector>

#include "output_by_ranks.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// Writes this rank's parts after those of lower ranks that overlap them, and before those of higher ones. Collective.
/// Returns what went wrong on this rank.
[[nodiscard]] Failure write_in_order(const OutputByRanks& file, const OutputArray& array,
                                     const std::vector<Selection>& selections, const std::vector<Written>& parts,
                                     const Options& options, Asked& asked);

}  // namespace rooftop::h5io::internal
