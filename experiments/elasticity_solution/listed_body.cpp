#include "listed_body.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace elasticity_solution {
namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 28;

nlohmann::json read(const nlohmann::json& name) {
  if (!name.is_string()) throw std::invalid_argument("'file' is " + name.dump() + ": expected the name of a file");
  std::ifstream file(name.get<std::string>());
  if (!file) {
    throw std::invalid_argument("there is no file " + name.dump() +
                                ": python experiments/elasticity_solution/bracket.py makes the bracket's");
  }
  nlohmann::json result = nlohmann::json::parse(file, nullptr, false);
  if (!result.is_object()) throw std::invalid_argument("file " + name.dump() + " is no JSON object: write it anew");
  return result;
}

const nlohmann::json& list_of(const nlohmann::json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || !found->is_array())
    throw std::invalid_argument("'" + std::string(name) + "' of the body is no list of numbers: expected one");
  return *found;
}

std::vector<double> numbers(const nlohmann::json& body, const char* name) {
  std::vector<double> result;
  for (const nlohmann::json& value : list_of(body, name)) {
    if (!value.is_number())
      throw std::invalid_argument("'" + std::string(name) + "' has " + value.dump() + ": expected numbers");
    result.push_back(value.get<double>());
  }
  return result;
}

/// Each from 0 and less than `end`.
std::vector<Index> indices(const nlohmann::json& body, const char* name, std::size_t end) {
  std::vector<Index> result;
  for (const nlohmann::json& value : list_of(body, name)) {
    if (!value.is_number_integer() || value.get<Index>() < 0 || value.get<Index>() >= static_cast<Index>(end)) {
      throw std::invalid_argument("'" + std::string(name) + "' has " + value.dump() +
                                  ": expected whole numbers from 0 to " + std::to_string(end - 1));
    }
    result.push_back(value.get<Index>());
  }
  return result;
}

/// Six times the volume; negative of an inverted one.
double six_volumes(const std::vector<double>& coordinates, const Tetrahedron& nodes) {
  std::array<std::array<double, 3>, 3> edge{};
  const auto at = [&](std::size_t corner, std::size_t c) {
    return coordinates[static_cast<std::size_t>(components * nodes[corner]) + c];
  };
  for (std::size_t e = 0; e < 3; ++e) {
    for (std::size_t c = 0; c < 3; ++c) edge[e][c] = at(e + 1, c) - at(0, c);
  }
  double result = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
    result += edge[0][c] * (edge[1][next] * edge[2][last] - edge[1][last] * edge[2][next]);
  }
  return result;
}

}  // namespace

ListedBody listed_body(const nlohmann::json& parameters) {
  const bool in_file = parameters.contains("file");
  const nlohmann::json body = in_file ? read(parameters["file"]) : parameters;
  ListedBody result;
  result.coordinates = numbers(body, "coordinates");
  const std::size_t size = result.coordinates.size(), nodes = size / components;
  if (size % components != 0 || nodes < 4 || nodes > most_nodes) {
    throw std::invalid_argument("'coordinates' has " + std::to_string(size) +
                                " numbers: expected three a node, of 4 to " + std::to_string(most_nodes) + " nodes");
  }
  const std::vector<Index> corner = indices(body, "tetrahedra", nodes);
  if (corner.empty() || corner.size() % 4 != 0)
    throw std::invalid_argument("'tetrahedra' has " + std::to_string(corner.size()) + " nodes: expected four each");
  std::vector<bool> used(nodes);
  for (std::size_t at = 0; at < corner.size(); at += 4) {
    const Tetrahedron one{corner[at], corner[at + 1], corner[at + 2], corner[at + 3]};
    if (!(six_volumes(result.coordinates, one) > 0))
      throw std::invalid_argument("tetrahedron " + std::to_string(at / 4) + " is flat or inverted: exchange two nodes");
    for (const Index node : one) used[static_cast<std::size_t>(node)] = true;
    result.tetrahedra.push_back(one);
  }
  if (const auto unused = std::ranges::find(used, false); unused != used.end())
    throw std::invalid_argument("node " + std::to_string(unused - used.begin()) + " is a corner of no tetrahedron");
  result.load = numbers(body, "load");
  if (result.load.size() != size) {
    throw std::invalid_argument("'load' has " + std::to_string(result.load.size()) + " numbers: expected " +
                                std::to_string(size) + ", as 'coordinates' has");
  }
  result.held.assign(size, 0);
  for (const Index at : indices(body, "held", size)) {
    result.held[static_cast<std::size_t>(at)] = 1;
    result.load[static_cast<std::size_t>(at)] = 0;
  }
  if (std::ranges::count(result.load, 0.0) == static_cast<std::ptrdiff_t>(size))
    throw std::invalid_argument("'load' is 0 wherever no displacement is held: expected a force");
  return result;
}

}  // namespace elasticity_solution
