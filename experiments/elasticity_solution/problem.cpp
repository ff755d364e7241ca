#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "body.hpp"
#include "data.hpp"

namespace elasticity_solution {
namespace {

constexpr double poisson = 0.3;

std::invalid_argument refused(const nlohmann::json& parameters, const char* name, const std::string& expected) {
  const auto found = parameters.find(name);
  return std::invalid_argument("'" + std::string(name) + "' is " +
                               (found == parameters.end() ? "missing" : found->dump()) + ": expected " + expected);
}

Index nodes(const nlohmann::json& parameters, const char* name) {
  constexpr Index longest = 4096;
  const auto found = parameters.find(name);
  if (found == parameters.end() || !found->is_number_integer() || found->get<Index>() < 2 ||
      found->get<Index>() > longest) {
    throw refused(parameters, name, "a whole number from 2 to " + std::to_string(longest));
  }
  return found->get<Index>();
}

Kind kind_of(const nlohmann::json& parameters) {
  const auto found = parameters.find("mesh");
  if (found == parameters.end()) return Kind::uniform;
  const auto kind = found->is_string() ? kind_named(found->get<std::string>()) : std::nullopt;
  if (!kind) throw refused(parameters, "mesh", "uniform, graded, distorted, jump, plate, tetrahedra or listed");
  return *kind;
}

double tolerance_of(const nlohmann::json& parameters) {
  const auto found = parameters.find("tolerance");
  if (found == parameters.end()) return 1e-8;
  if (!found->is_number() || !(found->get<double>() >= 1e-10 && found->get<double>() <= 0.1)) {
    throw refused(parameters, "tolerance", "a number from 1e-10 to 0.1");
  }
  return found->get<double>();
}

}  // namespace

void Solution::set_up_box(const nlohmann::json& parameters, Kind kind, std::uint64_t seed) {
  constexpr Index most_nodes = Index{1} << 28;
  const Mesh mesh{nodes(parameters, "nx"), nodes(parameters, "ny"), nodes(parameters, "nz")};
  if (mesh.nodes() > most_nodes) {
    throw std::invalid_argument("the mesh has " + std::to_string(mesh.nodes()) + " nodes: expected at most " +
                                std::to_string(most_nodes));
  }
  const auto size = static_cast<std::size_t>(components * mesh.nodes());
  coordinates_ = rooftop::AlignedArray<double>(size);
  young_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(mesh.elements()));
  load_ = rooftop::AlignedArray<double>(size);
  held_.resize(size);
  place_nodes(mesh, kind, seed, coordinates_.data());
  fill_young(mesh, kind, young_.data());
  hold(mesh, kind, held_.data());
  pull(mesh, kind, coordinates_.data(), load_.data());
  problem_.mesh = mesh;
}

void Solution::set_up_listed(const nlohmann::json& parameters) {
  ListedBody body = listed_body(parameters);
  const std::size_t size = body.coordinates.size();
  coordinates_ = rooftop::AlignedArray<double>(size);
  young_ = rooftop::AlignedArray<double>(body.tetrahedra.size());
  load_ = rooftop::AlignedArray<double>(size);
  std::ranges::copy(body.coordinates, coordinates_.data());
  std::ranges::fill(young_, 1.0);
  std::ranges::copy(body.load, load_.data());
  held_ = std::move(body.held);
  listed_ = std::move(body.tetrahedra);
  problem_.mesh = {static_cast<Index>(size / components), 1, 1, listed_};
}

void Solution::set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) {
  const Kind kind = kind_of(parameters);
  const double tolerance = tolerance_of(parameters);
  if (kind == Kind::listed) {
    set_up_listed(parameters);
  } else {
    set_up_box(parameters, kind, seed);
  }
  displacement_ = rooftop::AlignedArray<double>(rank_ == 0 ? held_.size() : 0);
  problem_ = {problem_.mesh, kind,    threads,      tolerance,    coordinates_.data(),
              young_.data(), poisson, load_.data(), held_.data(), displacement_.data(),
              &told_,        rank_,   ranks_};
}

void Solution::poison() {
  std::ranges::fill(displacement_, std::numeric_limits<double>::quiet_NaN());
  told_ = {};
}

nlohmann::json Solution::facts() {
  nlohmann::json figures = nlohmann::json::object();
  if (told_.iterations >= 0) figures["iterations"] = told_.iterations;
  if (told_.setup_ns >= 0) figures["setup_ns"] = told_.setup_ns;
  if (told_.kept_bytes >= 0) {
    figures["kept_bytes"] = told_.kept_bytes;
    figures["product_bytes"] = told_.product_bytes;
    figures["smoother_bytes"] = told_.smoother_bytes;
    figures["sweeps"] = told_.sweeps;
  }
  return {{"figures", figures}};
}

}  // namespace elasticity_solution

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<elasticity_solution::Solution>(); }
std::string_view experiment_name() { return "elasticity_solution"; }
}  // namespace rooftop
