/// What one element adds: the stiffness of a unit cube with trilinear displacements.
#pragma once

#include <array>

#include "problem.hpp"

namespace elasticity {

using Stiffness = std::array<double, values * values>;

/// Of an isotropic material with Young's modulus 1, by 2 x 2 x 2 points of Gauss, which is exact here. `poisson` is
/// below 0.5. Hughes, The Finite Element Method, 2000, chapters 2 and 3.
[[nodiscard]] Stiffness element_stiffness(double poisson);

}  // namespace elasticity
