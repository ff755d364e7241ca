#include <nlohmann/json.hpp>
#include <rooftop/experiment.hpp>

namespace rooftop {

nlohmann::json Experiment::facts() const { return nullptr; }

}  // namespace rooftop
