/// The classes of NPB's FT with their published checksums.
#pragma once

#include <span>

#include "problem.hpp"

namespace ft {

struct NpbClass {
  char name;
  Index nx, ny, nz;
  int iterations;
  std::span<const Complex> checksums;  ///< one for each iteration, to 13 digits
};

[[nodiscard]] std::span<const NpbClass> npb_classes();
/// The class of this size and number of iterations, or none.
[[nodiscard]] const NpbClass* npb_class(Index nx, Index ny, Index nz, int iterations);

}  // namespace ft
