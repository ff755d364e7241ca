/// A lab as the session knows experiments.
#pragma once

#include <rooftop/experiment.hpp>
#include <rooftop/lab_file.hpp>

namespace rooftop {

/// Reads each case's parameters for the lab, and holds its data.
class LabExperiment final : public Experiment {
 public:
  explicit LabExperiment(const LabModule& module) : module_(module) {}

  void set_ranks(int rank, int ranks) override;
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return module_.name; }
  void poison() override { lab_->poison(); }
  [[nodiscard]] Verdict verify(std::string_view algorithm) override;
  void spoil() override { lab_->spoil(); }
  [[nodiscard]] nlohmann::json facts() override;

 private:
  const LabModule& module_;
  Setting setting_;
  std::unique_ptr<Lab> lab_;
  LabProblem problem_;
};

}  // namespace rooftop
