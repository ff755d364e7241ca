/// The experiment behind the driver: owns one case's load, displacement and residuals.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>
#include <vector>

#include "element.hpp"
#include "problem.hpp"
#include "reference.hpp"

namespace elasticity {

constexpr double poisson = 0.3;

class Elasticity : public rooftop::Experiment {
 public:
  void set_ranks(int rank, int ranks) override { rank_ = rank, ranks_ = ranks; }
  /// Parameters: {"nx", "ny", "nz": nodes in each direction, 2 or more; "iterations": 1 or more; and, if given,
  /// "schedule": "dynamic", "guided", "static", "auto" or "runtime" (that of OMP_SCHEDULE), and "chunk": 1 or more}.
  /// Throws std::invalid_argument otherwise. The load is a traction of 1 along z on the last plane of nodes.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "elasticity::Problem"; }
  void poison() override;
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;

 private:
  Stiffness stiffness_ = element_stiffness(poisson);
  rooftop::AlignedArray<double> load_;
  rooftop::AlignedArray<double> displacement_;
  std::vector<double> residuals_;
  int rank_ = 0, ranks_ = 1;
  Steps expected_;  // of the case; empty until it is first verified
  Problem problem_{};
};

}  // namespace elasticity
