/// Forces at the nodes of a deformed body, from stresses: the verifier's own way, without a stiffness matrix.
#pragma once

#include <vector>

#include "problem.hpp"

namespace elasticity_solution {

/// Three forces for each node, where elements are integrated at 2 x 2 x 2 points of Gauss, tetrahedra at one.
/// Displacements are taken as they are, held ones too. Hughes, The Finite Element Method, 2000, chapters 2 and 3.
[[nodiscard]] std::vector<double> forces(const Problem& problem, const double* displacement);

/// The volume of each node: an eighth of what its elements have, a fourth of its tetrahedra, integrated alike.
[[nodiscard]] std::vector<double> volumes(const Problem& problem);

}  // namespace elasticity_solution
