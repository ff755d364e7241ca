/// How far a displacement is from the solution.
#pragma once

#include <string_view>

#include "problem.hpp"

namespace elasticity_solution {

/// The largest residual that is taken: a tenth above the tolerance, for what an iteration's own residual has lost to
/// rounding. Throws std::invalid_argument for an unknown algorithm.
[[nodiscard]] double largest_residual(std::string_view algorithm, const Problem& problem);

/// What is known of a displacement, where held ones count as zero. NaN where anything is NaN.
struct Measured {
  double held = 0;      ///< largest held displacement / the largest displacement
  double residual = 0;  ///< norm of load - forces at what is not held / norm of the load
  double error = 0;     ///< against the exact displacement, relative to it, each node weighted by its volume
  double bound = 0;     ///< of that error, from the residual; see README.md
};

/// `error` and `bound` stay 0 where the exact displacement is not known: unless Problem::linear().
[[nodiscard]] Measured measure(const Problem& problem);

/// u_x = -poisson x, u_y = -poisson y, u_z = z: exact unless the mesh is a plate or Young's modulus jumps, since linear
/// and trilinear elements of any shape have linear displacements (patch test; Hughes 2000, 4.6).
[[nodiscard]] inline double exact(const Problem& problem, Index node, int component) {
  const double at = problem.coordinates[components * node + component];
  return component == 2 ? at : -problem.poisson * at;
}

}  // namespace elasticity_solution
