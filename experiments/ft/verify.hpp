/// Verification: NPB's published checksums where the size is a class's, and a reference that transforms nothing.
#pragma once

#include <rooftop/experiment.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace ft {

/// Largest allowed error of an algorithm; 0 when it is not in the table.
[[nodiscard]] double tolerance(std::string_view algorithm);

/// Holds the reference of one case. Errors are relative: of a checksum to its own magnitude, as NPB has it; of the
/// field to the largest value sampled.
class Verifier {
 public:
  explicit Verifier(const Problem& problem);
  [[nodiscard]] rooftop::Verdict check(std::string_view algorithm) const;

 private:
  struct Finding {
    double error = 0;
    std::string what;
  };
  struct ExpectedChecksum {
    int iteration;  ///< from 1
    Complex value;
  };

  [[nodiscard]] Complex field_at(Index x, Index y, Index z) const;
  [[nodiscard]] std::string not_finite() const;
  [[nodiscard]] Finding checksums() const;
  [[nodiscard]] Finding samples() const;
  [[nodiscard]] Finding whole_field() const;

  Problem problem_;
  std::vector<Index> x_, y_, z_;  ///< the field is sampled at all triples of these
  std::vector<double> weight_x_, weight_y_, weight_z_;
  std::vector<Complex> expected_;  ///< (|x| + 1)(|y| + 1)(|z| + 1) sums: the last of each axis is weighed
  double largest_ = 0;             ///< max |expected| over the samples
  std::vector<ExpectedChecksum> checksums_;
};

}  // namespace ft
