/// What results are held against: the same steps without a matrix, element by element.
#pragma once

#include <vector>

#include "problem.hpp"

namespace elasticity {

/// result = A x, where A keeps held displacements at zero. No matrix is assembled: a way of its own to the same
/// product.
void apply(const Problem& problem, const double* x, double* result);

/// Steps of conjugate gradients (Hestenes and Stiefel 1952), their sums in long doubles.
struct Steps {
  std::vector<double> displacement;
  std::vector<double> residuals;
};
[[nodiscard]] Steps reference(const Problem& problem);

}  // namespace elasticity
