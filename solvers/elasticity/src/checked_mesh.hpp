/// What a caller gives of a mesh, checked.
#pragma once

#include <span>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Throws InvalidInput. Inverted elements are found when the matrix is made.
void check(const Mesh& mesh, const Options& options, std::span<const double> displacement);

}  // namespace rooftop::elasticity
