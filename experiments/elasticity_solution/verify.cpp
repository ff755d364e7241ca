#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data.hpp"
#include "forces.hpp"

namespace elasticity_solution {
namespace {

constexpr std::string_view algorithm_known = "preconditioned conjugate gradients";

/// A copy whose held displacements are zero; `held` is the largest of them / the largest displacement.
std::vector<double> without_held(const Problem& problem, double& held) {
  const auto size = static_cast<std::size_t>(components * problem.mesh.nodes());
  std::vector<double> result(problem.displacement, problem.displacement + size);
  double largest = 0, largest_held = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double magnitude = std::abs(result[i]);
    if (!std::isfinite(magnitude)) held = std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, magnitude);
    if (problem.held[i] == 0) continue;
    largest_held = std::max(largest_held, magnitude);
    result[i] = 0;
  }
  if (!std::isnan(held)) held = largest > 0 ? largest_held / largest : 0;
  return result;
}

/// Nothing slower moves freely than an edge's stretching: along the longest, of length l, its lowest frequency squared
/// is (pi / 2 l)^2, and that of a cube's slowest mode that keeps the symmetry, Lame's, pi^2 / 4 (1 + poisson) l^2. Both
/// are above 1 / l^2, where Young's modulus and density are 1.
double slowest(const Problem& problem) {
  const double* const last = problem.coordinates + components * (problem.mesh.nodes() - 1);
  const double longest = *std::max_element(last, last + components);
  return 1 / (longest * longest);
}

std::string said(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

}  // namespace

double largest_residual(std::string_view algorithm, const Problem& problem) {
  if (algorithm != algorithm_known) {
    throw std::invalid_argument("algorithm '" + std::string(algorithm) + "' has no tolerance: expected '" +
                                std::string(algorithm_known) + "'");
  }
  return 1.1 * problem.tolerance;
}

Measured measure(const Problem& problem) {
  Measured result;
  const std::vector<double> u = without_held(problem, result.held);
  if (std::isnan(result.held)) return {result.held, result.held, result.held, 0};
  const std::vector<double> force = forces(problem, u.data());
  const std::vector<double> volume = volumes(problem);
  double squares = 0, loaded = 0, weighted = 0, wrong = 0, whole = 0;
  for (Index node = 0; node < problem.mesh.nodes(); ++node) {
    const double mass = volume[static_cast<std::size_t>(node)];
    for (int c = 0; c < components; ++c) {
      const auto i = static_cast<std::size_t>(components * node + c);
      const double expected = exact(problem, node, c);
      wrong += mass * (u[i] - expected) * (u[i] - expected);
      whole += mass * expected * expected;
      loaded += problem.load[i] * problem.load[i];
      if (problem.held[i] != 0) continue;
      const double rest = problem.load[i] - force[i];
      squares += rest * rest;
      weighted += rest * rest / mass;
    }
  }
  result.residual = std::sqrt(squares / loaded);
  if (!problem.linear()) return result;
  // The mass matrix of trilinear elements is at least 1/27 of the nodes' volumes: a third in each direction; that of
  // linear tetrahedra a fifth.
  constexpr double consistent = 27;
  result.error = std::sqrt(wrong / whole);
  result.bound = consistent * std::sqrt(weighted) / slowest(problem) / std::sqrt(whole);
  return result;
}

rooftop::Verdict Solution::verify(std::string_view algorithm) {
  const double largest = largest_residual(algorithm, problem_);
  const Measured seen = measure(problem_);
  rooftop::Verdict verdict{.ok = seen.residual <= largest, .error = seen.residual, .tolerance = largest, .message = ""};
  if (!verdict.ok) {
    verdict.message = "the residual is " + said(seen.residual) + " of the load, expected at most " + said(largest);
  } else if (seen.held > problem_.tolerance) {
    verdict = {.ok = false, .error = seen.held, .tolerance = problem_.tolerance, .message = ""};
    verdict.message = "a held displacement is " + said(seen.held) + " of the largest one, expected 0";
  } else if (constexpr double rounding = 1e-12; seen.error > seen.bound + rounding) {
    verdict = {.ok = false, .error = seen.error, .tolerance = seen.bound + rounding, .message = ""};
    verdict.message = "the displacement is off by " + said(seen.error) + " of the exact one, expected at most " +
                      said(seen.bound + rounding);
  }
  return verdict;
}

}  // namespace elasticity_solution
