/// Verification: what every case's verifier does. What it compares is in verify_diffusion.hpp and verify_transform.hpp.
#pragma once

#include <cmath>
#include <rooftop/experiment.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "digest.hpp"
#include "problem.hpp"
#include "sampling.hpp"

namespace ft {

/// Largest allowed error of an algorithm; 0 when it is not in the table.
[[nodiscard]] double tolerance(std::string_view algorithm);

/// The largest error of one kind, without a dimension, and what it is.
struct Finding {
  double error = 0;
  std::string what;
};

/// Such as "(1.5, -2)".
[[nodiscard]] std::string text(Complex value);
[[nodiscard]] inline double magnitude(Complex value) { return std::hypot(value.re, value.im); }
[[nodiscard]] inline double distance(Complex a, Complex b) { return std::hypot(a.re - b.re, a.im - b.im); }

/// Holds the reference of one case.
class Verifier {
 public:
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;
  virtual ~Verifier() = default;
  [[nodiscard]] rooftop::Verdict check(std::string_view algorithm) const;

 protected:
  explicit Verifier(const Problem& problem) : problem_(problem), sampling_(problem) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Sampling& sampling() const { return sampling_; }
  /// Such as "field at x 1, y 2, z 3".
  [[nodiscard]] static std::string place(Index x, Index y, Index z);

 private:
  /// Asked only where all values were looked at and are finite.
  [[nodiscard]] virtual std::vector<Finding> findings(const Digest& field) const = 0;
  /// Of the field, or what ranks have handed over.
  [[nodiscard]] Digest digest() const;
  /// Why nothing can be compared: values that are not finite, missing, or there twice.
  [[nodiscard]] std::string unfit(const Digest& field) const;

  Problem problem_;
  Sampling sampling_;
};

}  // namespace ft
