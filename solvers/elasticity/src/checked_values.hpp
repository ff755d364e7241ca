/// Checks of what a caller gives. Each throws InvalidInput with what is wrong, the value seen and what is expected.
#pragma once

#include <cstdint>
#include <span>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

void require_size(const char* name, std::size_t size, std::int64_t expected);
void require_finite(const char* name, std::span<const double> values);
/// One value, or one for each element, above `least` and below `most`.
void require_material(const char* name, std::span<const double> values, std::int64_t elements, double least,
                      double most);
/// 21 values for all elements, for each, or for each point of integration: a positive definite matrix each.
void require_stiffness(std::span<const double> values, std::int64_t elements, std::int64_t points);
void require_options(const Options& options);

}  // namespace rooftop::elasticity
