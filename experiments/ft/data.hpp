/// The experiment behind the driver: owns one case's field, if it is whole, and checksums.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>

#include "digest.hpp"
#include "problem.hpp"
#include "verify.hpp"

namespace ft {

class Diffusion : public rooftop::Experiment {
 public:
  void set_ranks(int rank, int ranks) override { rank_ = rank, ranks_ = ranks; }
  /// Parameters: nx, ny and nz, each 1 or more, and iterations, 0 or more. U0 is NPB's whatever the seed.
  /// For MPI programs, if given: messages and pipelined, true or false, and pieces, as Exchange has them. With
  /// facts = true, facts() tells the checksums too.
  /// Throws std::invalid_argument for what makes no sense or does not fit the machine's memory.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "ft::Problem"; }
  /// NaN everywhere; U0 where the case is the transform alone, so that a rung that does nothing is wrong too. Of ranks,
  /// what they have handed over is forgotten.
  void poison() override;
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;
  /// What this rank did when, where the rung tells.
  [[nodiscard]] nlohmann::json facts() override;

 private:
  rooftop::AlignedArray<Complex> field_, checksums_;
  Problem problem_{};
  Timeline timeline_;
  Digest digest_;
  bool asked_ = false;  ///< for all facts
  int rank_ = 0, ranks_ = 1;
  std::unique_ptr<Verifier> verifier_;
};

}  // namespace ft
