#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "data.hpp"

namespace elasticity {
namespace {

/// A whole number from `least` to `most`. Throws std::invalid_argument.
Index whole(const nlohmann::json& parameters, const char* name, Index least, Index most) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || !found->is_number_integer() || found->get<Index>() < least ||
      found->get<Index>() > most) {
    throw std::invalid_argument(
        "'" + std::string(name) + "' is " + (found == parameters.end() ? "missing" : found->dump()) +
        ": expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return found->get<Index>();
}

/// Throws std::invalid_argument.
Schedule schedule_of(const nlohmann::json& parameters) {
  static const std::map<std::string, Schedule, std::less<>> known{{"auto", Schedule::automatic},
                                                                  {"dynamic", Schedule::dynamic},
                                                                  {"guided", Schedule::guided},
                                                                  {"runtime", Schedule::of_environment},
                                                                  {"static", Schedule::static_chunks}};
  const nlohmann::json given = parameters.value("schedule", nlohmann::json("dynamic"));
  const auto found = given.is_string() ? known.find(given.get_ref<const std::string&>()) : known.end();
  if (found == known.end()) {
    throw std::invalid_argument("'schedule' is " + given.dump() +
                                ": expected \"auto\", \"dynamic\", \"guided\", \"runtime\" or \"static\"");
  }
  return found->second;
}

/// Traction 1 along z on the plane z = z_max: a quarter of each face's area for each of its corners.
void pull(const Mesh& mesh, double* load) {
  for (Index j = 0; j + 1 < mesh.ny; ++j) {
    for (Index i = 0; i + 1 < mesh.nx; ++i) {
      for (const Index dj : {0, 1}) {
        for (const Index di : {0, 1}) load[components * mesh.node(i + di, j + dj, mesh.nz - 1) + 2] += 0.25;
      }
    }
  }
}

}  // namespace

void Elasticity::set_up(const nlohmann::json& parameters, std::uint64_t /*seed*/, int threads) {
  constexpr Index longest = 4096, most_iterations = 1'000'000, most_nodes = Index{1} << 28;
  const Mesh mesh{whole(parameters, "nx", 2, longest), whole(parameters, "ny", 2, longest),
                  whole(parameters, "nz", 2, longest)};
  const Index iterations = whole(parameters, "iterations", 1, most_iterations);
  const auto chunk = parameters.contains("chunk") ? static_cast<int>(whole(parameters, "chunk", 1, 1'000'000)) : 200;
  if (mesh.nodes() > most_nodes) {
    throw std::invalid_argument("the mesh has " + std::to_string(mesh.nodes()) + " nodes: expected at most " +
                                std::to_string(most_nodes));
  }
  const auto size = static_cast<std::size_t>(components * mesh.nodes());
  load_ = rooftop::AlignedArray<double>(size);
  displacement_ = rooftop::AlignedArray<double>(rank_ == 0 ? size : 0);
  std::ranges::fill(load_, 0.0);
  pull(mesh, load_.data());
  residuals_.assign(static_cast<std::size_t>(iterations + 1), 0);
  expected_ = {};
  problem_ = {mesh,
              threads,
              static_cast<int>(iterations),
              stiffness_.data(),
              load_.data(),
              displacement_.data(),
              residuals_.data(),
              rank_,
              ranks_,
              schedule_of(parameters),
              chunk};
}

void Elasticity::poison() {
  std::ranges::fill(displacement_, std::numeric_limits<double>::quiet_NaN());
  std::ranges::fill(residuals_, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace elasticity

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<elasticity::Elasticity>(); }
std::string_view experiment_name() { return "elasticity"; }
}  // namespace rooftop
