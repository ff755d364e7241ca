#include "verify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include "npb_classes.hpp"
#include "reference.hpp"

namespace ft {
namespace {

// What a reference checksum of a size that is no class may cost: N min(nx, 1024) multiply-adds for each iteration.
constexpr double affordable = 4e9;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double magnitude(Complex value) { return std::hypot(value.re, value.im); }
Complex minus(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

std::string text(Complex value) {
  std::array<char, 80> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "(%.13g, %.13g)", value.re, value.im);
  return buffer.data();
}

/// A few places along an axis: both ends, the middle, and some other one.
std::vector<Index> places(Index n, std::mt19937_64& random) {
  const std::set<Index> some{0, n / 2, static_cast<Index>(random() % static_cast<std::uint64_t>(n)), n - 1};
  return {some.begin(), some.end()};
}

/// Random weights of magnitude in [1/2, 1): an error cannot hide behind a small one.
std::vector<double> random_weights(Index n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(0.5, 1.0);
  std::vector<double> weights(at(n));
  for (double& weight : weights) weight = (random() & 1U) != 0 ? size(random) : -size(random);
  return weights;
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

// NPB's own, for its checksums, of which 13 digits are published. Rounding leaves errors of 1e-15 to 1e-14 in the
// field.
double tolerance(std::string_view algorithm) { return algorithm == "fft" ? 1e-12 : 0; }

Verifier::Verifier(const Problem& problem) : problem_(problem) {
  const Problem& p = problem_;
  std::mt19937_64 random(1);
  x_ = places(p.nx, random), y_ = places(p.ny, random), z_ = places(p.nz, random);
  weight_x_ = random_weights(p.nx, random);
  weight_y_ = random_weights(p.ny, random);
  weight_z_ = random_weights(p.nz, random);
  expected_ =
      weighed_sums(p, spread_all(p.nx, p.iterations, x_, weight_x_), spread_all(p.ny, p.iterations, y_, weight_y_),
                   spread_all(p.nz, p.iterations, z_, weight_z_));
  for (std::size_t a = 0; a < x_.size(); ++a) {
    for (std::size_t b = 0; b < y_.size(); ++b) {
      for (std::size_t c = 0; c < z_.size(); ++c) {
        largest_ = std::max(largest_, magnitude(expected_[(a * (y_.size() + 1) + b) * (z_.size() + 1) + c]));
      }
    }
  }
  if (const NpbClass* const found = npb_class(p.nx, p.ny, p.nz, p.iterations)) {
    for (int t = 1; t <= p.iterations; ++t) checksums_.push_back({t, found->checksums[at(t - 1)]});
    return;
  }
  const double one = static_cast<double>(p.size()) * static_cast<double>(std::min(p.nx, checksum_points));
  const auto count = static_cast<int>(std::min(affordable / one, static_cast<double>(p.iterations)));
  // The last ones: an error made on the way shows in them too.
  for (int t = p.iterations - count + 1; t <= p.iterations; ++t) checksums_.push_back({t, reference_checksum(p, t)});
}

Complex Verifier::field_at(Index x, Index y, Index z) const {
  const Complex value = problem_.field[(z * problem_.ny + y) * problem_.nx + x];
  const auto n = static_cast<double>(problem_.size());
  return {value.re / n, value.im / n};
}

std::string Verifier::not_finite() const {
  const auto bad = [](Complex value) { return !std::isfinite(value.re) || !std::isfinite(value.im); };
  const Problem& p = problem_;
  for (int t = 1; t <= p.iterations; ++t) {
    if (bad(p.checksums[t - 1])) return "checksum " + std::to_string(t) + " is " + text(p.checksums[t - 1]);
  }
  for (Index i = 0; i < p.size(); ++i) {
    if (!bad(p.field[i])) continue;
    return "field at x " + std::to_string(i % p.nx) + ", y " + std::to_string(i / p.nx % p.ny) + ", z " +
           std::to_string(i / p.nx / p.ny) + " is " + text(p.field[i]);
  }
  return "";
}

Verifier::Finding Verifier::checksums() const {
  const Problem& p = problem_;
  Finding worst;
  const auto judge = [&](int t, Complex expected) {
    const Complex seen = p.checksums[t - 1];
    const double error = magnitude(minus(seen, expected)) / magnitude(expected);
    if (error <= worst.error) return;
    worst = {error, "checksum " + std::to_string(t) + " is " + text(seen) + ", expected " + text(expected)};
  };
  for (const auto& [t, value] : checksums_) judge(t, value);
  Complex sum{0, 0};
  for (Index j = 1; j <= checksum_points; ++j) {
    const Complex value = field_at(j % p.nx, 3 * j % p.ny, 5 * j % p.nz);
    sum = {sum.re + value.re, sum.im + value.im};
  }
  judge(p.iterations, sum);
  return worst;
}

Verifier::Finding Verifier::samples() const {
  Finding worst;
  for (std::size_t a = 0; a < x_.size(); ++a) {
    for (std::size_t b = 0; b < y_.size(); ++b) {
      for (std::size_t c = 0; c < z_.size(); ++c) {
        const Complex expected = expected_[(a * (y_.size() + 1) + b) * (z_.size() + 1) + c];
        const Complex seen = field_at(x_[a], y_[b], z_[c]);
        const double error = magnitude(minus(seen, expected)) / largest_;
        if (error <= worst.error) continue;
        worst = {error, "field at x " + std::to_string(x_[a]) + ", y " + std::to_string(y_[b]) + ", z " +
                            std::to_string(z_[c]) + " is " + text(seen) + ", expected " + text(expected)};
      }
    }
  }
  return worst;
}

// A weighed sum over the whole field sees what is not sampled. Rounding errors of single values, as large as the
// tolerance and independent, add up to its square root of N times that.
Verifier::Finding Verifier::whole_field() const {
  const Problem& p = problem_;
  double re = 0, im = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : re, im)
  for (Index line = 0; line < p.ny * p.nz; ++line) {
    const double weight = weight_y_[at(line % p.ny)] * weight_z_[at(line / p.ny)];
    Complex sum{0, 0};
    for (Index x = 0; x < p.nx; ++x) {
      const Complex value = p.field[line * p.nx + x];
      sum = {sum.re + weight_x_[at(x)] * value.re, sum.im + weight_x_[at(x)] * value.im};
    }
    re += weight * sum.re, im += weight * sum.im;
  }
  const auto n = static_cast<double>(p.size());
  const double error = magnitude(minus({re / n, im / n}, expected_.back())) / (8 * std::sqrt(n) * largest_);
  return {error, "a weighed sum over the field is off, though not where it was sampled"};
}

rooftop::Verdict Verifier::check(std::string_view algorithm) const {
  rooftop::Verdict verdict{.ok = false, .error = 0, .tolerance = tolerance(algorithm), .message = ""};
  if (verdict.tolerance == 0) {
    verdict.message = "algorithm '" + std::string(algorithm) + "' has no tolerance: expected 'fft'";
    return verdict;
  }
  if (verdict.message = not_finite(); !verdict.message.empty()) {
    verdict.error = std::nan("");
    return verdict;
  }
  for (const Finding& finding : {checksums(), samples(), whole_field()}) {
    if (finding.error > verdict.tolerance && verdict.error <= verdict.tolerance) verdict.message = finding.what;
    verdict.error = std::max(verdict.error, finding.error);
  }
  verdict.ok = verdict.error <= verdict.tolerance;
  return verdict;
}

}  // namespace ft
