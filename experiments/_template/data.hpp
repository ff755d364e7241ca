/// The experiment behind the driver: owns one case's vectors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>

#include "problem.hpp"

namespace dot {

class DotProduct : public rooftop::Experiment {
 public:
  /// Parameters: {"n": 1 or more}. Throws std::invalid_argument otherwise.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "dot::Problem"; }
  void poison() override;
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;

 private:
  rooftop::AlignedArray<double> x_;
  rooftop::AlignedArray<double> y_;
  double result_ = 0;
  Problem problem_{};
};

}  // namespace dot
