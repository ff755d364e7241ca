/// Matrices of blocks that ranks have rows, or summands, of.
#pragma once

#include <cstdint>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "communicator.hpp"
#include "node_exchange.hpp"

namespace rooftop::elasticity {

/// Interpolation at own nodes and at copies, `all` nodes together, of which `own` has the own ones. Collective.
[[nodiscard]] BlockMatrix<float, components, rigid_motions> with_rows_of_copies(
    const BlockMatrix<float, components, rigid_motions>& own, std::int64_t all, NodeExchange& exchange);

/// The sum of what all ranks give, the same on every rank to the last bit. Every row has its diagonal's block.
/// Collective.
[[nodiscard]] BlockMatrix<float, rigid_motions, rigid_motions> sum_of_matrices(
    BlockMatrix<float, rigid_motions, rigid_motions> own, int threads, const GoOn& go_on, const Communicator& ranks);

}  // namespace rooftop::elasticity
