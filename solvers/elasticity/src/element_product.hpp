/// Products with a box of distorted elements without their matrix.
#pragma once

#include <cstdint>

#include "kernels.hpp"

namespace rooftop::elasticity {

/// y = scale A x, or y += scale A x, in planes of nodes. Fields have the margins of Field.
struct ElementProduct {
  Grid grid;
  Pointers<const double> at;  ///< where nodes lie
  const double* lame;         ///< of the element that begins at a node; or some equal values, with a step of 0
  const double* shear;
  std::int64_t step;  ///< from one node's material to the next one's: 0 or 1
  Pointers<const double> x;
  Pointers<double> y;
  double scale;
  bool fresh;  ///< whether y is written without being read
};

/// In planes from `begin` to before `end`; `scratch` has element_scratch(nx) zeros, or what a product with this nx left
/// there. Returns x·A x's part of these rows.
double multiply_elements(const ElementProduct& job, std::int64_t begin, std::int64_t end, double* scratch);
[[nodiscard]] std::int64_t element_scratch(std::int64_t nx);

}  // namespace rooftop::elasticity
