/// Matrices of blocks that ranks have rows, or summands, of.
#pragma once

#include <cstdint>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "communicator.hpp"
#include "node_exchange.hpp"

namespace rooftop::elasticity {

/// Interpolation at own nodes and at copies, `all` nodes together, of which `own` has the own ones. Collective.
template <class Real>
[[nodiscard]] BlockMatrix<Real, components, rigid_motions> with_rows_of_copies(
    const BlockMatrix<Real, components, rigid_motions>& own, std::int64_t all, NodeExchange& exchange);

/// The sum of what all ranks give, the same on every rank to the last bit. Every row has its diagonal's block.
/// Collective.
template <class Real>
[[nodiscard]] BlockMatrix<Real, rigid_motions, rigid_motions> sum_of_matrices(
    BlockMatrix<Real, rigid_motions, rigid_motions> own, int threads, const GoOn& go_on, const Communicator& ranks);
/// Rows and columns of blocks that ranks have, put together; each block once. Collective.
[[nodiscard]] Pattern gathered_pattern(const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& column,
                                       std::int64_t rows, const Communicator& ranks);

}  // namespace rooftop::elasticity
