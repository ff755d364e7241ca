#include <algorithm>
#include <nlohmann/json.hpp>
#include <rooftop/read_parameters.hpp>
#include <stdexcept>

namespace rooftop {
namespace {

using nlohmann::json;

/// A range as a reader takes it; JSON writes 1e9 as 1000000000.0.
std::string bound(const Field& field, double value) {
  return field.type == ParameterType::whole ? std::to_string(static_cast<std::int64_t>(value)) : json(value).dump();
}

std::string expected(const Field& field) {
  if (field.type == ParameterType::text) return ": expected a text";
  const std::string kind = field.type == ParameterType::whole ? "a whole number" : "a number";
  return ": expected " + kind + " from " + bound(field, field.lowest) + " to " + bound(field, field.highest);
}

ParameterValue read_value(const Field& field, const json& given) {
  const auto refuse = [&] {
    return std::invalid_argument("'" + std::string(field.name) + "' is " + given.dump() + expected(field));
  };
  if (field.type == ParameterType::text) {
    if (!given.is_string()) throw refuse();
    return given.get<std::string>();
  }
  const bool fits = field.type == ParameterType::whole ? given.is_number_integer() : given.is_number();
  if (!fits || given.get<double>() < field.lowest || given.get<double>() > field.highest) throw refuse();
  if (field.type == ParameterType::whole) return given.get<std::int64_t>();
  return given.get<double>();
}

}  // namespace

std::vector<ParameterValue> read_parameters(std::span<const Field> fields, const json& parameters) {
  for (const auto& given : parameters.items()) {
    if (std::ranges::find(fields, given.key(), &Field::name) != fields.end()) continue;
    std::string names;
    for (const Field& field : fields) names += (names.empty() ? "" : ", ") + std::string(field.name);
    throw std::invalid_argument("'" + given.key() + "' is not a parameter: expected " +
                                (names.empty() ? "none" : names));
  }
  std::vector<ParameterValue> values;
  for (const Field& field : fields) {
    const auto found = parameters.find(field.name);
    if (found == parameters.end()) {
      throw std::invalid_argument("'" + std::string(field.name) + "' is missing" + expected(field));
    }
    values.push_back(read_value(field, *found));
  }
  return values;
}

json to_json(std::span<const Field> fields, const std::vector<ParameterValue>& values) {
  json parameters = json::object();
  auto value = values.begin();
  for (const Field& field : fields) {
    std::visit([&](const auto& held) { parameters[field.name] = held; }, *value++);
  }
  return parameters;
}

}  // namespace rooftop
