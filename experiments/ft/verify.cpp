#include "verify.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace ft {

std::string text(Complex value) {
  std::array<char, 80> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "(%.13g, %.13g)", value.re, value.im);
  return buffer.data();
}

// NPB's own, for its checksums, of which 13 digits are published. Rounding leaves errors of 1e-15 to 1e-14 in the
// field.
double tolerance(std::string_view algorithm) { return algorithm == "fft" ? 1e-12 : 0; }

Complex Verifier::field_at(Index x, Index y, Index z) const {
  return problem_.field[(z * problem_.ny + y) * problem_.nx + x];
}

std::string Verifier::place(Index x, Index y, Index z) {
  return "field at x " + std::to_string(x) + ", y " + std::to_string(y) + ", z " + std::to_string(z);
}

Complex Verifier::weighed_field() const {
  const Problem& p = problem_;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  double re = 0, im = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : re, im)
  for (Index line = 0; line < p.ny * p.nz; ++line) {
    const double weight = sampling_.weight_y[at(line % p.ny)] * sampling_.weight_z[at(line / p.ny)];
    Complex sum{0, 0};
    for (Index x = 0; x < p.nx; ++x) {
      const Complex value = p.field[line * p.nx + x];
      sum = {sum.re + sampling_.weight_x[at(x)] * value.re, sum.im + sampling_.weight_x[at(x)] * value.im};
    }
    re += weight * sum.re, im += weight * sum.im;
  }
  return {re, im};
}

std::string Verifier::not_finite() const {
  const auto bad = [](Complex value) { return !std::isfinite(value.re) || !std::isfinite(value.im); };
  const Problem& p = problem_;
  for (int t = 1; t <= p.iterations; ++t) {
    if (bad(p.checksums[t - 1])) return "checksum " + std::to_string(t) + " is " + text(p.checksums[t - 1]);
  }
  for (Index i = 0; i < p.size(); ++i) {
    if (bad(p.field[i])) return place(i % p.nx, i / p.nx % p.ny, i / p.nx / p.ny) + " is " + text(p.field[i]);
  }
  return "";
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
  for (const Finding& finding : findings()) {
    if (finding.error > verdict.tolerance && verdict.error <= verdict.tolerance) verdict.message = finding.what;
    verdict.error = std::max(verdict.error, finding.error);
  }
  verdict.ok = verdict.error <= verdict.tolerance;
  return verdict;
}

}  // namespace ft
