#include "initial_tour.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "city.hpp"

namespace rooftop::routing {

void require_initial_tour(const Instance& instance, std::span<const std::int32_t> order) {
  if (order.size() != index(instance.cities)) {
    throw InvalidInput("the initial tour has " + std::to_string(order.size()) + " cities; expected " +
                       std::to_string(instance.cities));
  }
  std::vector<bool> seen(order.size());
  for (const City city : order) {
    if (city < 0 || city >= instance.cities) {
      throw InvalidInput("the initial tour has city " + std::to_string(city) + "; expected 0 to " +
                         std::to_string(instance.cities - 1));
    }
    if (seen[index(city)]) {
      throw InvalidInput("the initial tour has city " + std::to_string(city) + " twice; expected each of " +
                         std::to_string(instance.cities) + " once");
    }
    seen[index(city)] = true;
  }
  require_fixed_edges(instance, order, "the initial tour");
}

void require_fixed_edges(const Instance& instance, std::span<const std::int32_t> order, const char* what) {
  if (instance.fixed_edges.empty()) return;
  std::vector<City> next(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) next[index(order[i])] = order[i + 1 == order.size() ? 0 : i + 1];
  for (const auto& [a, b] : instance.fixed_edges) {
    if (next[index(a)] == b) continue;
    if (instance.symmetric && next[index(b)] == a) continue;
    throw InvalidInput(std::string(what) + " lacks the fixed edge " + std::to_string(a + 1) + " " +
                       std::to_string(b + 1));
  }
}

}  // namespace rooftop::routing
