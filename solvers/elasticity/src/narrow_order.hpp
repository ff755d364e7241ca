/// An order of nodes that makes the envelope of a matrix narrow.
#pragma once

#include <cstdint>
#include <vector>

#include "block_matrix.hpp"

namespace rooftop::elasticity {

/// An order of nodes in which a node's neighbours are near to it: Reverse Cuthill and McKee's. Of each place, the node.
[[nodiscard]] std::vector<std::int32_t> narrow_order(const Pattern& pattern);
/// The first column of each row of unknowns, `size` for each node, in that order.
[[nodiscard]] std::vector<std::int64_t> first_columns(const Pattern& pattern, const std::vector<std::int32_t>& order,
                                                      std::int64_t size);

}  // namespace rooftop::elasticity
