#include "check.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace rooftop::network {
namespace {

constexpr std::int64_t most_kg = std::int64_t{1} << 50;  ///< of all shipments: sums stay exact in a double
constexpr std::int32_t most_months = 1 << 20, most_plans = 100'000;
constexpr int most_threads = 4096;
/// Products with loads stay finite, and what is divided by the range of an objective.
constexpr double least_figure = 1e-100, most_figure = 1e100;

void require(bool holds, const std::string& what, const std::string& expected) {
  if (!holds) throw InvalidInput(what + "; expected " + expected);
}

template <typename Number>
void require_within(Number value, Number least, Number most, const std::string& name) {
  require(value >= least && value <= most, name + " is " + std::to_string(value),
          std::to_string(least) + " to " + std::to_string(most));
}

void check_arcs(const Problem& problem) {
  const std::size_t arcs = problem.head.size();
  require(problem.tail.size() == arcs && problem.capacity_kg.size() == arcs,
          "tail, head and capacity_kg differ in length", "one of each for every arc");
  const std::size_t figures = arcs * static_cast<std::size_t>(problem.objectives);
  require(problem.per_vehicle.size() == figures && problem.per_kg.size() == figures,
          "per_vehicle or per_kg has another length", "[objectives][arcs]");
  for (std::size_t arc = 0; arc < arcs; ++arc) {
    const std::string name = " of arc " + std::to_string(arc);
    require_within(problem.tail[arc], 0, problem.nodes - 1, "the tail" + name);
    require_within(problem.head[arc], 0, problem.nodes - 1, "the head" + name);
    require(problem.tail[arc] != problem.head[arc], "arc " + std::to_string(arc) + " ends where it begins",
            "two nodes");
    require(problem.capacity_kg[arc] >= 0, "the capacity" + name + " is " + std::to_string(problem.capacity_kg[arc]),
            "0 or more");
  }
  for (std::size_t i = 0; i < figures; ++i) {
    for (const double figure : {problem.per_vehicle[i], problem.per_kg[i]}) {
      if (figure == 0 || (figure >= least_figure && figure <= most_figure)) continue;
      std::ostringstream text;
      text << "a figure of arc " << i % arcs << " is " << figure << "; expected 0, or 1e-100 to 1e100";
      throw InvalidInput(text.str());
    }
  }
}

void check_shipments(const Problem& problem) {
  require(!problem.shipments.empty(), "there are no shipments", "1 or more");
  std::int64_t total = 0;
  for (std::size_t i = 0; i < problem.shipments.size(); ++i) {
    const Shipment& one = problem.shipments[i];
    const std::string name = " of shipment " + std::to_string(i);
    require_within(one.month, 0, problem.months - 1, "the month" + name);
    require_within(one.from, 0, problem.nodes - 1, "the origin" + name);
    require_within(one.to, 0, problem.nodes - 1, "the destination" + name);
    require(one.from != one.to, "shipment " + std::to_string(i) + " goes nowhere", "two nodes");
    require(one.kg > 0 && one.kg <= most_kg - total, "the weight" + name + " is " + std::to_string(one.kg) + " kg",
            "1 kg or more, and at most 2^50 kg in all");
    total += one.kg;
  }
}

void check_options(const Problem& problem, const Options& options) {
  require(options.iterations >= 0, "iterations is " + std::to_string(options.iterations), "0 or more");
  require(options.iterations > 0 || (options.seconds > 0 && std::isfinite(options.seconds)),
          "seconds is " + std::to_string(options.seconds), "more than 0");
  require_within(options.threads, 0, most_threads, "threads");
  require_within(options.plans, 1, most_plans, "plans");
  if (options.weights.empty()) return;
  require(options.weights.size() == static_cast<std::size_t>(problem.objectives),
          std::to_string(options.weights.size()) + " weights", "one for each objective");
  double sum = 0;
  for (const double weight : options.weights) {
    require(weight >= 0 && weight <= most_figure, "a weight is " + std::to_string(weight), "0 or more, and finite");
    sum += weight;
  }
  require(sum > 0, "all weights are 0", "one above");
}

}  // namespace

void check(const Problem& problem, const Options& options) {
  require(problem.nodes >= 2, "nodes is " + std::to_string(problem.nodes), "2 or more");
  require_within(problem.objectives, 1, most_objectives, "objectives");
  require_within(problem.months, 1, most_months, "months");
  require(problem.payload_kg > 0, "the payload is " + std::to_string(problem.payload_kg) + " kg", "1 kg or more");
  check_arcs(problem);
  check_shipments(problem);
  check_options(problem, options);
}

}  // namespace rooftop::network
