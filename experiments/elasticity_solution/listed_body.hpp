/// A body of any shape whose case, or a file of it, lists nodes, tetrahedra, load and what is held.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "problem.hpp"

namespace elasticity_solution {

struct ListedBody {
  std::vector<double> coordinates, load;  ///< 3 a node; there is no load where a displacement is held
  std::vector<Tetrahedron> tetrahedra;    ///< none is inverted, and each node is a corner of one
  std::vector<std::uint8_t> held;         ///< 3 a node
};

/// Parameters, or those in the JSON file that "file" names: {"coordinates": 3 numbers a node; "tetrahedra": 4 nodes
/// each, the fourth where the first three go anticlockwise; "load": 3 numbers a node; "held": 3 * node + component of
/// each displacement that is held}. Throws std::invalid_argument where one is missing or wrong.
[[nodiscard]] ListedBody listed_body(const nlohmann::json& parameters);

}  // namespace elasticity_solution
