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

std::string Verifier::place(Index x, Index y, Index z) {
  return "field at x " + std::to_string(x) + ", y " + std::to_string(y) + ", z " + std::to_string(z);
}

Digest Verifier::digest() const {
  const Problem& p = problem_;
  if (p.ranks > 1 || !p.digest->empty()) return *p.digest;
  return digest_of(p, sampling_, {{0, p.ny}, {0, p.nz}}, p.field);
}

std::string Verifier::unfit(const Digest& field) const {
  const Problem& p = problem_;
  for (int t = 1; t <= p.iterations; ++t) {
    const Complex sum = p.checksums[t - 1];
    if (!std::isfinite(sum.re) || !std::isfinite(sum.im)) {
      return "checksum " + std::to_string(t) + " is " + text(sum);
    }
  }
  if (std::isfinite(field.not_finite.index)) {
    const auto i = static_cast<Index>(field.not_finite.index);
    return place(i % p.nx, i / p.nx % p.ny, i / p.nx / p.ny) + " is " + text(field.not_finite.value);
  }
  const auto once = [](const Digest::Sample& sample) { return sample.times == 1; };
  const auto handed = static_cast<Index>(field.sums.values);
  if (handed == p.size() && std::ranges::all_of(field.samples, once)) return "";
  return "ranks handed over " + std::to_string(handed) + " values, expected each of " + std::to_string(p.size()) +
         " once";
}

rooftop::Verdict Verifier::check(std::string_view algorithm) const {
  rooftop::Verdict verdict{.ok = false, .error = 0, .tolerance = tolerance(algorithm), .message = ""};
  if (verdict.tolerance == 0) {
    verdict.message = "algorithm '" + std::string(algorithm) + "' has no tolerance: expected 'fft'";
    return verdict;
  }
  const Digest field = digest();
  if (verdict.message = unfit(field); !verdict.message.empty()) {
    verdict.error = std::nan("");
    return verdict;
  }
  for (const Finding& finding : findings(field)) {
    if (finding.error > verdict.tolerance && verdict.error <= verdict.tolerance) verdict.message = finding.what;
    verdict.error = std::max(verdict.error, finding.error);
  }
  verdict.ok = verdict.error <= verdict.tolerance;
  return verdict;
}

}  // namespace ft
