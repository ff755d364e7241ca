/// Verifies a case of the transform alone, by sums over U0 that no fast transform takes part in.
#pragma once

#include "direct_modes.hpp"
#include "verify.hpp"

namespace ft {

/// Errors are relative to the modes' root mean square; mode 0's, thousands of times as large as that, to itself.
class TransformVerifier : public Verifier {
 public:
  explicit TransformVerifier(const Problem& problem);

 private:
  [[nodiscard]] std::vector<Finding> findings(const Digest& field) const override;
  [[nodiscard]] Finding energy(const Digest& field) const;
  [[nodiscard]] Finding samples(const Digest& field) const;
  [[nodiscard]] Finding whole_field(const Digest& field) const;

  ModeSums expected_;            ///< sums as Sampling::at has them
  double root_mean_square_ = 0;  ///< of all modes
};

}  // namespace ft
