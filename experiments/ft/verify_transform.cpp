#include "verify_transform.hpp"

#include <algorithm>
#include <cmath>

namespace ft {
namespace {

std::vector<ModeWeights> along(Index n, const std::vector<Index>& places, const std::vector<double>& weights) {
  std::vector<ModeWeights> result;
  for (const Index place : places) result.push_back(single_mode(n, place));
  result.push_back(weighed_modes(weights));
  return result;
}

}  // namespace

TransformVerifier::TransformVerifier(const Problem& problem) : Verifier(problem) {
  const Sampling& s = sampling();
  expected_ = mode_sums(problem, along(problem.nx, s.x, s.weight_x), along(problem.ny, s.y, s.weight_y),
                        along(problem.nz, s.z, s.weight_z));
  root_mean_square_ = std::sqrt(expected_.squares);
}

// Parseval: sum |F|^2 = N sum |U0|^2
Finding TransformVerifier::energy() const {
  const Problem& p = problem();
  double squares = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : squares)
  for (Index line = 0; line < p.ny * p.nz; ++line) {
    double of_row = 0;
    for (Index x = 0; x < p.nx; ++x) {
      const Complex value = p.field[line * p.nx + x];
      of_row += value.re * value.re + value.im * value.im;
    }
    squares += of_row;
  }
  const double times = squares / (static_cast<double>(p.size()) * expected_.squares);
  return {std::abs(times - 1), "the field's sum of squares is " + std::to_string(times) + " times what it must be"};
}

Finding TransformVerifier::samples() const {
  Finding worst;
  sampling().for_each([&](Index x, Index y, Index z, std::size_t reference) {
    const Complex expected = expected_.sums[reference], seen = field_at(x, y, z);
    const double error = distance(seen, expected) / std::max(magnitude(expected), root_mean_square_);
    if (error <= worst.error) return;
    worst = {error, place(x, y, z) + " is " + text(seen) + ", expected " + text(expected)};
  });
  return worst;
}

// Sees what is not sampled. Rounding errors of single modes, as large as the tolerance and independent, add up to its
// square root of N times that.
Finding TransformVerifier::whole_field() const {
  const double root = std::sqrt(static_cast<double>(problem().size()));
  const double error = distance(weighed_field(), expected_.sums.back()) / (root * root_mean_square_);
  return {error, "a weighed sum over the field is off, though not where it was sampled"};
}

// What names a place comes first: its message is the one that is shown.
std::vector<Finding> TransformVerifier::findings() const { return {samples(), whole_field(), energy()}; }

}  // namespace ft
