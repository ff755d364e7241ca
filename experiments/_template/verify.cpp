#include "verify.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "data.hpp"

namespace dot {

Reference reference(const double* x, const double* y, std::size_t n) {
  double sum = 0;
  double lost = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double product = x[i] * y[i];
    lost += std::fma(x[i], y[i], -product);  // the product's rounding error, exactly
    const double next = sum + product;
    const double added = next - sum;
    lost += (sum - (next - added)) + (product - added);  // the sum's (Knuth's TwoSum)
    sum = next;
    magnitude += std::abs(product);
  }
  return {sum + lost, magnitude};
}

double tolerance(std::string_view algorithm, std::size_t n) {
  constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
  // One rounding for each product and each sum that it passes through: n + 1 at most in any order (Higham 2002, 3.1).
  if (algorithm == "any order") return static_cast<double>(n + 1) * unit_roundoff;
  throw std::invalid_argument("algorithm '" + std::string(algorithm) + "' has no tolerance: expected 'any order'");
}

rooftop::Verdict DotProduct::verify(std::string_view algorithm) {
  const Reference expected = reference(problem_.x, problem_.y, problem_.n);
  const double error = std::abs(result_ - expected.dot) / expected.magnitude;
  rooftop::Verdict verdict{.ok = false, .error = error, .tolerance = tolerance(algorithm, problem_.n), .message = ""};
  verdict.ok = error <= verdict.tolerance;
  if (!verdict.ok) {
    verdict.message = "result is " + std::to_string(result_) + ", expected " + std::to_string(expected.dot);
  }
  return verdict;
}

}  // namespace dot
