#include <nlohmann/json.hpp>
#include <rooftop/experiment.hpp>

namespace rooftop {

nlohmann::json Experiment::facts() { return nullptr; }

}  // namespace rooftop
