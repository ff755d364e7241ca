// Any bytes as the parameters of an experiment's case: taken, or refused by std::invalid_argument. Linked with each
// experiment.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/json_lines.hpp>
#include <stdexcept>
#include <string_view>

namespace {

void require(bool kept) {
  if (!kept) std::abort();
}

/// Whether a number is of a size that a user may ask for and that takes time or memory.
bool costs_much(const nlohmann::json& parameters) {
  constexpr double small = 128, beyond_any = 1e13;
  for (const nlohmann::json& value : parameters) {
    if (value.is_number() && value.get<double>() > small && value.get<double>() < beyond_any) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<rooftop::Experiment> experiment = rooftop::make_experiment();
  nlohmann::json parameters;
  try {
    parameters = rooftop::parse_json_line({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception&) {
    return 0;
  }
  if (!parameters.is_object() || costs_much(parameters)) return 0;
  try {
    experiment->set_up(parameters, 1, 2);
  } catch (const std::invalid_argument& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return 0;
  }
  require(experiment->problem() != nullptr);
  experiment->poison();
  return 0;
}
