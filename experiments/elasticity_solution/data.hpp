/// The experiment behind the driver: owns one case's body and its displacement.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>
#include <vector>

#include "listed_body.hpp"
#include "problem.hpp"

namespace elasticity_solution {

class Solution : public rooftop::Experiment {
 public:
  void set_ranks(int rank, int ranks) override { rank_ = rank, ranks_ = ranks; }
  /// Parameters: {"nx", "ny", "nz": nodes in each direction, 2 or more; and, if given, "mesh": "uniform", "graded",
  /// "distorted", "jump", "plate", "tetrahedra" or "listed" (uniform where left out); "tolerance": 1e-10 to 0.1 (1e-8
  /// where left out)}. "listed" has the parameters of listed_body.hpp instead of nodes. Throws std::invalid_argument
  /// otherwise.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "elasticity_solution::Problem"; }
  void poison() override;
  /// The error is the residual's norm relative to the load's or, where the displacement is known and that is what is
  /// wrong, the displacement's error relative to it.
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;
  /// {"figures": {"iterations", "setup_ns"}}, as far as the rung told them.
  [[nodiscard]] nlohmann::json facts() override;

 private:
  void set_up_box(const nlohmann::json& parameters, Kind kind, std::uint64_t seed);
  void set_up_listed(const nlohmann::json& parameters);

  rooftop::AlignedArray<double> coordinates_, young_, load_, displacement_;
  std::vector<std::uint8_t> held_;
  std::vector<Tetrahedron> listed_;
  Told told_;
  int rank_ = 0, ranks_ = 1;
  Problem problem_{};
};

}  // namespace elasticity_solution
