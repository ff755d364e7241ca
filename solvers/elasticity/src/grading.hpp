/// How edges of a box's elements differ in length from direction to direction.
#pragma once

#include <array>

#include "approximate_inverse.hpp"

namespace rooftop::elasticity {

/// Of x to y, y to x, x to z, z to x, y to z and z to y: the largest ratio of edges that an element has. Processes that
/// share a box take the largest of theirs.
using Grading = std::array<double, 6>;
[[nodiscard]] Grading grading_of(const AnyBox& box);

/// How often the finest box smooths before and after each correction. Coarser boxes leave out nodes of the direction
/// with the shortest edges. Where that is one direction in some elements and another one in others, they can do so for
/// neither, and the smoother has more left to do.
[[nodiscard]] int smoothing_steps_of(const Grading& grading);

}  // namespace rooftop::elasticity
