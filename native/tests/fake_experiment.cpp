#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/random.hpp>
#include <stdexcept>

#include "fake_problem.hpp"

namespace {

class Doubling : public rooftop::Experiment {
 public:
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override {
    const auto size = parameters.at("size").get<std::int64_t>();
    if (size < 1) throw std::invalid_argument("'size' is " + std::to_string(size) + ": expected 1 or more");
    in_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(size));
    out_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(size));
    rooftop::fill_uniform(in_.span(), seed);
    problem_ = {in_.size(), threads, in_.data(), out_.data()};
  }
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "fake::Problem"; }
  void poison() override {
    for (double& value : out_) value = std::numeric_limits<double>::max();
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override {
    rooftop::Verdict verdict{.ok = true, .error = 0, .tolerance = algorithm == "exact" ? 0.0 : 1e-6, .message = ""};
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const double error = std::abs(out_[i] - 2 * in_[i]);
      if (!(error <= verdict.error)) verdict.error = error;
      if (std::isnan(error)) break;
    }
    verdict.ok = verdict.error <= verdict.tolerance;
    if (!verdict.ok) verdict.message = "some element is not doubled";
    return verdict;
  }

 private:
  rooftop::AlignedArray<double> in_;
  rooftop::AlignedArray<double> out_;
  fake::Problem problem_{};
};

}  // namespace

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<Doubling>(); }
std::string_view experiment_name() { return "fake"; }
}  // namespace rooftop
