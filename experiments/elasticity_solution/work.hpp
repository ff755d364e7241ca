/// What no program can do without, whatever its preconditioner.
#pragma once

#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace elasticity_solution {

/// The body is read once and the displacement written: a limit far below what iterations take, whose number nobody
/// knows before.
inline rooftop::Work least_work(const Problem& problem) {
  const auto nodes = static_cast<double>(problem.mesh.nodes());
  const double bytes = nodes * components * (3 * sizeof(double) + 1) +
                       static_cast<double>(problem.mesh.elements()) * static_cast<double>(sizeof(double));
  return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = "preconditioned conjugate gradients"};
}

}  // namespace elasticity_solution
