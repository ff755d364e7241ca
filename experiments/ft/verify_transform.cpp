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
Finding TransformVerifier::energy(const Digest& field) const {
  const double times = field.sums.squares / (static_cast<double>(problem().size()) * expected_.squares);
  return {std::abs(times - 1), "the field's sum of squares is " + std::to_string(times) + " times what it must be"};
}

Finding TransformVerifier::samples(const Digest& field) const {
  Finding worst;
  auto sample = field.samples.begin();
  sampling().for_each([&](Index x, Index y, Index z, std::size_t reference) {
    const Complex expected = expected_.sums[reference], seen = sample++->value;
    const double error = distance(seen, expected) / std::max(magnitude(expected), root_mean_square_);
    if (error <= worst.error) return;
    worst = {error, place(x, y, z) + " is " + text(seen) + ", expected " + text(expected)};
  });
  return worst;
}

// Sees what is not sampled. Rounding errors of single modes, as large as the tolerance and independent, add up to its
// square root of N times that.
Finding TransformVerifier::whole_field(const Digest& field) const {
  const double root = std::sqrt(static_cast<double>(problem().size()));
  const double error = distance(field.sums.weighed, expected_.sums.back()) / (root * root_mean_square_);
  return {error, "a weighed sum over the field is off, though not where it was sampled"};
}

// What names a place comes first: its message is the one that is shown.
std::vector<Finding> TransformVerifier::findings(const Digest& field) const {
  return {samples(field), whole_field(field), energy(field)};
}

}  // namespace ft
