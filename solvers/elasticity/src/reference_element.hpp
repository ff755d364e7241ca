/// Shape functions and points of integration of each kind of element.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "element_kinds.hpp"
#include "grid.hpp"

namespace rooftop::elasticity {

/// Shape functions' derivatives at a point of an element's own coordinates.
using Slopes = std::vector<std::array<double, components>>;

struct ReferencePoint {
  double weight;
  Slopes nodes;  ///< of each node's shape function
  Slopes modes;  ///< of each incompatible mode
};

/// An element in its own coordinates.
struct ReferenceElement {
  std::vector<ReferencePoint> points;  ///< of integration: those of CalculiX
  Slopes centre;                       ///< of each node's shape function, by which incompatible modes are mapped
};

/// Throws InvalidInput for what is no kind.
[[nodiscard]] const ReferenceElement& reference_element(ElementKind kind);

}  // namespace rooftop::elasticity
