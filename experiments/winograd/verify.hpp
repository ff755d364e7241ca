/// Verification against an independent double-precision direct convolution, and a certificate over every output.
#pragma once

#include <rooftop/experiment.hpp>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace winograd {

/// The bits that poison() writes: a quiet NaN that no arithmetic makes, so an untouched output is told from a NaN.
inline constexpr std::uint32_t poison_bits = 0x7fdeadbeU;

/// Largest allowed max|difference| / max|reference| of an algorithm's result with `channels` input channels;
/// 0 when the algorithm is not in the table.
double tolerance(std::string_view algorithm, int channels);

/// Holds the reference of one case: outputs sampled (all of them at small sizes), and one linear functional per
/// image and filter, which is evaluated from the image and filter alone.
class Verifier {
 public:
  explicit Verifier(const Problem& problem);

  /// Compares the problem's output with the reference, by the tolerance of `algorithm`.
  [[nodiscard]] rooftop::Verdict check(std::string_view algorithm) const;

  /// How many outputs are compared one by one.
  [[nodiscard]] std::size_t samples() const { return samples_.size(); }

 private:
  struct Sample {
    int n, k, y, x;
    double value;
    double spread;  ///< root of the sum of the squared terms: what the value would typically be
  };
  struct Finding {
    double excess = 0;  ///< error beyond what is allowed, as a ratio; above 1 is wrong
    std::size_t plane = 0;
    double seen = 0;
    double expected = 0;
  };

  void choose_samples();
  void compute_samples();
  void compute_functionals();
  [[nodiscard]] std::string first_bad_value() const;
  [[nodiscard]] Finding check_functionals(double allowed) const;

  Problem problem_;
  std::vector<Sample> samples_;
  double largest_ = 0;  ///< max |reference| over the samples
  double scale_ = 0;    ///< what errors are held against: see tolerance()
  std::vector<double> weight_y_, weight_x_;
  std::vector<double> functionals_;  ///< [n][k]: sum over y, x of weight_y * weight_x * output
};

}  // namespace winograd
