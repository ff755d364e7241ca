/// EDGE_WEIGHT_SECTION: a matrix in any of the format's nine forms.
#pragma once

#include <cstdint>
#include <vector>

#include "scanner.hpp"
#include "specification.hpp"

namespace rooftop::routing {

/// Takes the numbers of `format`, not WeightFormat::function, and gives the full matrix by rows. A diagonal that is not
/// given is 0. Throws InvalidInput, before any memory is taken for more than 30 000 cities.
std::vector<std::int32_t> read_weight_matrix(Scanner& scanner, WeightFormat format, std::int32_t cities);

/// Throws InvalidInput that names the first pair of cities whose distances differ.
void require_symmetric(const Scanner& scanner, const std::vector<std::int32_t>& matrix, std::int32_t cities);

}  // namespace rooftop::routing
