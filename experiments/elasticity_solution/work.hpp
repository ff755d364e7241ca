/// The work of a solution, which has no roof.
#pragma once

#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace elasticity_solution {

/// Neither flops nor bytes are stated: how many iterations follow, and what one of them moves, depends on the
/// preconditioner. A bound that no algorithm can reach, such as reading the body once, would say nothing.
inline rooftop::Work solution_work() { return {.algorithm = "preconditioned conjugate gradients"}; }

}  // namespace elasticity_solution
