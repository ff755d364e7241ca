/// What a caller gives of a mesh, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

[[nodiscard]] inline std::int64_t elements_of(const Mesh& mesh) {
  return static_cast<std::int64_t>(mesh.hexahedra.size() / 8 + mesh.tetrahedra.size() / 4);
}

/// each(element, its nodes), hexahedra first.
template <class Each>
void for_elements(const Mesh& mesh, Each each) {
  std::int64_t element = 0;
  for (const auto& [nodes, corners] :
       {std::pair{mesh.hexahedra, std::size_t{8}}, std::pair{mesh.tetrahedra, std::size_t{4}}}) {
    for (std::size_t first = 0; first < nodes.size(); first += corners) each(element++, nodes.subspan(first, corners));
  }
}

/// Throws InvalidInput unless there are nodes and elements, with sound numbers and materials.
void require_mesh(const Mesh& mesh);
/// Throws InvalidInput unless there are three of each for so many nodes, and finite ones.
void require_node_values(std::span<const double> load, std::span<const std::uint8_t> held,
                         std::span<const double> displacement, std::int64_t nodes);
[[noreturn]] void throw_for_unused(std::int64_t node);

/// Throws InvalidInput. Inverted elements are found when the matrix is made.
void check(const Mesh& mesh, const Options& options, std::span<const double> displacement);

}  // namespace rooftop::elasticity
