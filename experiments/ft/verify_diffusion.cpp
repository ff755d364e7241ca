#include "verify_diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "npb_classes.hpp"
#include "reference.hpp"

namespace ft {
namespace {

// What a reference checksum of a size that is no class may cost: N min(nx, 1024) multiply-adds for each iteration.
constexpr double affordable = 4e9;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Transforms are not divided by the number of points, U_t's values are.
Complex over_points(Complex value, const Problem& p) {
  const auto n = static_cast<double>(p.size());
  return {value.re / n, value.im / n};
}

Weights spread_all(Index n, int t, const std::vector<Index>& places, const std::vector<double>& weights) {
  const auto kernel = heat_kernel(n, t);
  Weights result;
  for (const Index place : places) {
    std::vector<double> one(at(n), 0.0);
    one[at(place)] = 1;
    result.push_back(spread(one, kernel));
  }
  result.push_back(spread(weights, kernel));
  return result;
}

}  // namespace

DiffusionVerifier::DiffusionVerifier(const Problem& problem) : Verifier(problem) {
  const Problem& p = problem;
  const Sampling& s = sampling();
  expected_ =
      weighed_sums(p, spread_all(p.nx, p.iterations, s.x, s.weight_x), spread_all(p.ny, p.iterations, s.y, s.weight_y),
                   spread_all(p.nz, p.iterations, s.z, s.weight_z));
  s.for_each([this](Index /*x*/, Index /*y*/, Index /*z*/, std::size_t place) {
    largest_ = std::max(largest_, magnitude(expected_[place]));
  });
  if (const NpbClass* const found = npb_class(p.nx, p.ny, p.nz, p.iterations)) {
    for (int t = 1; t <= p.iterations; ++t) checksums_.push_back({t, found->checksums[at(t - 1)]});
    return;
  }
  const double one = static_cast<double>(p.size()) * static_cast<double>(std::min(p.nx, checksum_points));
  const auto count = static_cast<int>(std::min(affordable / one, static_cast<double>(p.iterations)));
  // The last ones: an error made on the way shows in them too.
  for (int t = p.iterations - count + 1; t <= p.iterations; ++t) checksums_.push_back({t, reference_checksum(p, t)});
}

Finding DiffusionVerifier::checksums(const Digest& field) const {
  const Problem& p = problem();
  Finding worst;
  const auto judge = [&](int t, Complex expected) {
    const Complex seen = p.checksums[t - 1];
    const double error = distance(seen, expected) / magnitude(expected);
    if (error <= worst.error) return;
    worst = {error, "checksum " + std::to_string(t) + " is " + text(seen) + ", expected " + text(expected)};
  };
  for (const auto& [t, value] : checksums_) judge(t, value);
  judge(p.iterations, over_points(field.sums.checksum, p));
  return worst;
}

Finding DiffusionVerifier::samples(const Digest& field) const {
  Finding worst;
  auto sample = field.samples.begin();
  sampling().for_each([&](Index x, Index y, Index z, std::size_t reference) {
    const Complex expected = expected_[reference], seen = over_points(sample++->value, problem());
    const double error = distance(seen, expected) / largest_;
    if (error <= worst.error) return;
    worst = {error, place(x, y, z) + " is " + text(seen) + ", expected " + text(expected)};
  });
  return worst;
}

// A weighed sum over the whole field sees what is not sampled. Rounding errors of single values, as large as the
// tolerance and independent, add up to its square root of N times that.
Finding DiffusionVerifier::whole_field(const Digest& field) const {
  const double root = std::sqrt(static_cast<double>(problem().size()));
  const double error = distance(over_points(field.sums.weighed, problem()), expected_.back()) / (8 * root * largest_);
  return {error, "a weighed sum over the field is off, though not where it was sampled"};
}

std::vector<Finding> DiffusionVerifier::findings(const Digest& field) const {
  return {checksums(field), samples(field), whole_field(field)};
}

}  // namespace ft
