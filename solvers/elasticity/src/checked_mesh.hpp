/// What a caller gives of a mesh, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "element_kinds.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

[[nodiscard]] inline std::int64_t elements_of(const Mesh& mesh) {
  std::size_t result = 0;
  for (const ElementBlock& block : mesh.blocks) result += block.nodes.size() / nodes_of(block.kind);
  return static_cast<std::int64_t>(result);
}

/// Points of integration of all elements.
[[nodiscard]] inline std::int64_t points_of(const Mesh& mesh) {
  std::size_t result = 0;
  for (const ElementBlock& block : mesh.blocks) {
    result += block.nodes.size() / nodes_of(block.kind) * points_of_integration(block.kind);
  }
  return static_cast<std::int64_t>(result);
}

/// each(element, its nodes), in the order of their numbers.
template <class Each>
void for_elements(const Mesh& mesh, Each each) {
  std::int64_t element = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const std::size_t nodes = nodes_of(block.kind);
    for (std::size_t first = 0; first < block.nodes.size(); first += nodes) {
      each(element++, block.nodes.subspan(first, nodes));
    }
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
