/// Reading a case's typed parameters from JSON: compiled once, and in no lab.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/parameters.hpp>
#include <span>
#include <vector>

namespace rooftop {

/// The values of all fields, in their order. Throws std::invalid_argument naming the parameter, its value and what is
/// expected: if one is missing, not of its type or out of its range, or if there is one that is no field.
[[nodiscard]] std::vector<ParameterValue> read_parameters(std::span<const Field> fields,
                                                          const nlohmann::json& parameters);

/// The same values as a case has them.
[[nodiscard]] nlohmann::json to_json(std::span<const Field> fields, const std::vector<ParameterValue>& values);

}  // namespace rooftop
