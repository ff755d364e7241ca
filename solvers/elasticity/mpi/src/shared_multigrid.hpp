/// Preconditioners of a box that ranks share.
#pragma once

#include <memory>

#include "approximate_inverse.hpp"
#include "level.hpp"
#include "shared_box.hpp"
#include "shared_operator.hpp"
#include "sharing.hpp"

namespace rooftop::elasticity {

/// The matrix of a box in single precision. `exact`: that of this rank's part in double precision, or null. Collective.
/// Throws InvalidInput where an element is inverted.
[[nodiscard]] std::unique_ptr<SharedOperator<float>> shared_single_precision(const SharedBox& box,
                                                                             const Operator<double>* exact,
                                                                             const Sharing& how);

/// A level on it. `free`: 0 at nodes of other ranks. Collective.
[[nodiscard]] Level shared_level(std::unique_ptr<SharedOperator<float>> matrix, const Free& free, const Sharing& how);

/// Multigrid with the same boxes as one process has. Those of few nodes, and those of which some rank would have none,
/// are whole on every rank, and each does all of their work: that is less than to send it. Collective.
[[nodiscard]] std::unique_ptr<ApproximateInverse> shared_multigrid(const SharedBox& box, const Operator<double>& exact,
                                                                   const Free& free, const Sharing& how);

}  // namespace rooftop::elasticity
