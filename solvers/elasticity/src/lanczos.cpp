#include "lanczos.hpp"

#include <algorithm>

namespace rooftop::elasticity {
namespace {

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection: how many lie above a number is how many
/// signs are positive when the matrix less that number is factored.
double largest_of(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double radius = (i > 0 ? beside[i - 1] : 0) + (i < beside.size() ? beside[i] : 0);
    low = std::max(low, diagonal[i]);
    high = std::max(high, diagonal[i] + radius);
  }
  while (high - low > 1e-4 * high) {
    const double middle = (low + high) / 2;
    bool above = false;
    double pivot = -1;
    for (std::size_t i = 0; i < diagonal.size() && !above; ++i) {
      pivot = diagonal[i] - middle - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      above = pivot >= 0;
    }
    (above ? low : high) = middle;
  }
  return high;
}

}  // namespace

double Lanczos::largest() const {
  constexpr double margin = 1.05;
  return diagonal_.empty() ? 1 : margin * largest_of(diagonal_, beside_);
}

}  // namespace rooftop::elasticity
