/// Numbers of nodes and months that nothing in a problem has.
#pragma once

#include <optional>

#include "rooftop/network.hpp"

namespace rooftop::network {

/// The same problem with its nodes and months numbered anew, in their order, where most of the numbers are of none:
/// memory is for what there is, whatever counts a caller gives. Arcs and shipments keep their numbers.
[[nodiscard]] std::optional<Problem> without_gaps(const Problem& problem);

}  // namespace rooftop::network
