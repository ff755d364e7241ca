/// What is known of each kind of element by its name alone.
#pragma once

#include <cstddef>
#include <string>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// How many nodes an element of a kind has. Throws InvalidInput for what is no kind.
[[nodiscard]] inline std::size_t nodes_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::tetrahedron:
      return 4;
    case ElementKind::hexahedron:
      return 8;
  }
  throw InvalidInput("a block's kind is " + std::to_string(static_cast<int>(kind)) + "; expected a kind of element");
}

}  // namespace rooftop::elasticity
