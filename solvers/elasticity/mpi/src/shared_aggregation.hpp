/// Smoothed aggregation of a mesh that ranks share.
#pragma once

#include <memory>

#include "aggregation.hpp"
#include "approximate_inverse.hpp"
#include "checked_mesh_part.hpp"
#include "mesh_operator.hpp"
#include "sharing.hpp"

namespace rooftop::elasticity {

/// The mesh is shared, with aggregates of a rank's own nodes. Coarser levels are whole on every rank, and each does all
/// of their work. `free`: of own nodes, and of copies what their owners have. `part` and `how` have to last as long as
/// the result. Collective.
[[nodiscard]] std::unique_ptr<ApproximateInverse> shared_aggregation(const MeshMatrix<double>& matrix, const Free& free,
                                                                     bool coarser, const MeshPart& part,
                                                                     const Sharing& how);

}  // namespace rooftop::elasticity
