#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "data.hpp"

namespace elasticity {
namespace {

/// max |seen - expected| / max |expected|
double difference(std::span<const double> seen, std::span<const double> expected) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double one = std::abs(seen[i] - expected[i]);
    if (std::isnan(one)) return one;
    largest = std::max(largest, one);
    scale = std::max(scale, std::abs(expected[i]));
  }
  return largest / scale;
}

}  // namespace

double error(const Problem& problem, const Steps& expected) {
  const double displacement = difference({problem.displacement, expected.displacement.size()}, expected.displacement);
  const double residuals = difference({problem.residuals, expected.residuals.size()}, expected.residuals);
  return std::isnan(displacement) ? displacement
         : std::isnan(residuals)  ? residuals
                                  : std::max(displacement, residuals);
}

double tolerance(std::string_view algorithm, const Mesh& mesh, int iterations) {
  constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
  constexpr double row = 81;      // products that are summed up in a row of the matrix
  constexpr double unlikely = 8;  // lambda of the bound
  // Each step has a product, whose sums err by `row` roundoffs at most, and sums over all values, in any order, which
  // err by lambda sqrt(n) roundoffs but for a chance that falls like exp(-lambda^2 / 2); Higham and Mary, A new
  // approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41 (2019). The steps that follow pass both
  // on.
  if (algorithm == "conjugate gradients") {
    const double sums = unlikely * std::sqrt(static_cast<double>(components * mesh.nodes()));
    return (row + sums) * unit_roundoff * (iterations + 1);
  }
  throw std::invalid_argument("algorithm '" + std::string(algorithm) +
                              "' has no tolerance: expected 'conjugate gradients'");
}

rooftop::Verdict Elasticity::verify(std::string_view algorithm) {
  if (expected_.residuals.empty()) expected_ = reference(problem_);
  const double seen = error(problem_, expected_);
  rooftop::Verdict verdict{
      .ok = false, .error = seen, .tolerance = tolerance(algorithm, problem_.mesh, problem_.iterations), .message = ""};
  verdict.ok = seen <= verdict.tolerance;
  if (!verdict.ok) {
    verdict.message = "after " + std::to_string(problem_.iterations) + " steps the residual is " +
                      std::to_string(residuals_.back()) + ", expected " + std::to_string(expected_.residuals.back());
  }
  return verdict;
}

}  // namespace elasticity
