#include <nlohmann/json.hpp>
#include <rooftop/lab_experiment.hpp>
#include <rooftop/read_parameters.hpp>

namespace rooftop {

void LabExperiment::set_ranks(int rank, int ranks) {
  setting_.rank = rank;
  setting_.ranks = ranks;
}

void LabExperiment::set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) {
  const std::vector<ParameterValue> values = read_parameters(module_.fields, parameters);
  setting_.seed = seed;
  setting_.threads = threads;
  lab_.reset();  // two cases' data need not fit at a time
  lab_.reset(module_.create(values, setting_));
  problem_.lab = lab_.get();
}

Verdict LabExperiment::verify(std::string_view algorithm) { return lab_->verify(algorithm); }

nlohmann::json LabExperiment::facts() {
  nlohmann::json facts;
  for (const LabFigure& figure : lab_->figures()) facts["figures"][figure.name] = figure.value;
  return facts;
}

}  // namespace rooftop
