/// How far from the reference a result may be.
#pragma once

#include <string_view>

#include "reference.hpp"

namespace elasticity {

/// The larger of two: the largest difference of a residual from the reference's / the largest residual, and the largest
/// difference of a displacement / the largest displacement. NaN where anything is NaN.
[[nodiscard]] double error(const Problem& problem, const Steps& expected);

/// The largest error that rounding explains. Throws std::invalid_argument for an unknown algorithm.
[[nodiscard]] double tolerance(std::string_view algorithm, const Mesh& mesh, int iterations);

}  // namespace elasticity
