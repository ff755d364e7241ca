/// What is known of each kind of element by its name alone.
#pragma once

#include <cstddef>
#include <string>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

constexpr std::size_t element_kinds = 8, most_nodes = 20;

[[noreturn]] inline void throw_for_unknown(ElementKind kind) {
  throw InvalidInput("a block's kind is " + std::to_string(static_cast<int>(kind)) + "; expected 0 to " +
                     std::to_string(element_kinds - 1));
}

/// How many nodes an element of a kind has. Throws InvalidInput for what is no kind.
[[nodiscard]] inline std::size_t nodes_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::tetrahedron:
      return 4;
    case ElementKind::wedge:
      return 6;
    case ElementKind::hexahedron:
    case ElementKind::hexahedron_incompatible:
      return 8;
    case ElementKind::tetrahedron10:
      return 10;
    case ElementKind::wedge15:
      return 15;
    case ElementKind::hexahedron20:
    case ElementKind::hexahedron20_reduced:
      return 20;
  }
  throw_for_unknown(kind);
}

/// Of nodes along the edges of most of a mesh's elements, by an edge's length: 0.5 where there is one in the middle.
[[nodiscard]] inline double spacing_of(const Mesh& mesh) {
  std::size_t all = 0, with_middles = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const std::size_t nodes = nodes_of(block.kind), elements = block.nodes.size() / nodes;
    all += elements;
    if (nodes > 8) with_middles += elements;
  }
  return 2 * with_middles > all ? 0.5 : 1;
}

}  // namespace rooftop::elasticity
