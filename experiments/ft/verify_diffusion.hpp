/// Verifies the benchmark: NPB's published checksums where the size is a class's, and a reference that transforms
/// nothing.
#pragma once

#include <vector>

#include "verify.hpp"

namespace ft {

/// Errors are relative: of a checksum to its own magnitude, as NPB has it; of the field to the largest value sampled.
class DiffusionVerifier : public Verifier {
 public:
  explicit DiffusionVerifier(const Problem& problem);

 private:
  struct ExpectedChecksum {
    int iteration;  ///< from 1
    Complex value;
  };

  [[nodiscard]] std::vector<Finding> findings(const Digest& field) const override;
  [[nodiscard]] Finding checksums(const Digest& field) const;
  [[nodiscard]] Finding samples(const Digest& field) const;
  [[nodiscard]] Finding whole_field(const Digest& field) const;

  std::vector<Complex> expected_;  ///< as Sampling::at has them
  double largest_ = 0;             ///< max |expected| over the samples
  std::vector<ExpectedChecksum> checksums_;
};

}  // namespace ft
