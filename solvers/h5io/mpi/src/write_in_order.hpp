/// Writes of a contiguous dataset by all ranks at once, except where they write the same elements.
#pragma once

#include <cstddef>
#include <vector>

#include "output_by_ranks.hpp"
#include "selections.hpp"

namespace rooftop::h5io::internal {

/// Writes this rank's parts. Where parts of ranks overlap, they are written in the order of ranks. Collective. Returns
/// the failure of this rank.
[[nodiscard]] Failure write_in_order(const OutputByRanks& file, const OutputArray& array,
                                     const std::vector<Selection>& selections, const std::vector<Written>& parts,
                                     const Options& options, Asked& asked);

}  // namespace rooftop::h5io::internal
