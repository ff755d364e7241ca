#include "checked_mesh.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "checked_values.hpp"
#include "elimination.hpp"
#include "hinges.hpp"
#include "joined_nodes.hpp"
#include "lone_elements.hpp"
#include "rigid_motions.hpp"

namespace rooftop::elasticity {

void require_mesh(const Mesh& mesh) {
  if (mesh.coordinates.empty() || mesh.coordinates.size() % components != 0) {
    throw InvalidInput("coordinates has " + std::to_string(mesh.coordinates.size()) +
                       " values; expected three for each node");
  }
  const auto nodes = static_cast<std::int64_t>(mesh.coordinates.size()) / components;
  if (nodes >= std::int64_t{1} << 31) throw InvalidInput("the mesh has 2^31 nodes or more; expected fewer");
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const std::size_t values = mesh.blocks[b].nodes.size(), each = nodes_of(mesh.blocks[b].kind);
    if (values % each != 0) {
      throw InvalidInput("blocks[" + std::to_string(b) + "] has " + std::to_string(values) + " nodes; expected " +
                         std::to_string(each) + " for each element");
    }
  }
  const std::int64_t elements = elements_of(mesh);
  if (elements == 0) throw InvalidInput("the mesh has no elements; expected one or more");
  require_finite("coordinates", mesh.coordinates);
  if (mesh.stiffness.empty()) {
    require_material("young", mesh.young, elements, 0, HUGE_VAL);
    require_material("poisson", mesh.poisson, elements, -1, 0.5);
  } else {
    require_stiffness(mesh.stiffness, elements, points_of(mesh));
  }
  for_elements(mesh, [&](std::int64_t element, std::span<const std::int64_t> corners) {
    for (const std::int64_t node : corners) {
      if (node < 0 || node >= nodes) {
        throw InvalidInput("element " + std::to_string(element) + " has node " + std::to_string(node) +
                           "; expected 0 to " + std::to_string(nodes - 1));
      }
    }
  });
}

void require_node_values(std::span<const double> load, std::span<const std::uint8_t> held,
                         std::span<const double> displacement, std::int64_t nodes) {
  require_size("load", load.size(), components * nodes);
  require_size("held", held.size(), components * nodes);
  require_size("displacement", displacement.size(), components * nodes);
  require_finite("load", load);
  require_finite("displacement", displacement);
}

void throw_for_unused(std::int64_t node) {
  throw InvalidInput("node " + std::to_string(node) + " is in no element; expected every node in one");
}

void check(const Mesh& mesh, const Options& options, std::span<const double> displacement) {
  require_options(options);
  require_mesh(mesh);
  const auto nodes = static_cast<std::int64_t>(mesh.coordinates.size()) / components;
  require_node_values(mesh.load, mesh.held, displacement, nodes);
  require_dependences(mesh.dependences, mesh.held, nodes);
  JoinedNodes parts(static_cast<std::size_t>(nodes));
  std::vector<bool> used(static_cast<std::size_t>(nodes));
  for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> corners) {
    for (const std::int64_t node : corners) {
      used[static_cast<std::size_t>(node)] = true;
      parts.join(static_cast<std::size_t>(corners[0]), static_cast<std::size_t>(node));
    }
  });
  const auto at = [&](std::size_t node) -> RigidMotions::Point {
    return {mesh.coordinates[3 * node], mesh.coordinates[3 * node + 1], mesh.coordinates[3 * node + 2]};
  };
  if (!mesh.dependences.dependent.empty()) return require_no_motion_left(mesh);
  for (std::size_t node = 0; node < used.size(); ++node) {
    if (!used[node]) throw_for_unused(static_cast<std::int64_t>(node));
  }
  // Of each part: where it is held first, and the node that is held farthest from there.
  const auto is_held = [&](std::size_t node) {
    return mesh.held[3 * node] != 0 || mesh.held[3 * node + 1] != 0 || mesh.held[3 * node + 2] != 0;
  };
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> ends;
  for (std::size_t node = 0; node < used.size(); ++node) {
    const std::size_t part = parts.of(node);
    auto& between = ends.try_emplace(part, part, part).first->second;
    if (!is_held(node)) continue;
    if (!is_held(between.first)) between = {node, node};
    const auto distance = [&](std::size_t other) {
      double sum = 0;
      for (std::size_t d = 0; d < components; ++d) sum += std::abs(at(other)[d] - at(between.first)[d]);
      return sum;
    };
    if (distance(node) > distance(between.second)) between.second = node;
  }
  std::map<std::size_t, RigidMotions> motions;
  for (const auto& [part, between] : ends) motions.try_emplace(part, at(between.first), at(between.second));
  for (std::size_t node = 0; node < used.size(); ++node) {
    for (std::size_t c = 0; c < components; ++c) {
      if (mesh.held[3 * node + c] != 0) motions.at(parts.of(node)).hold(at(node), c);
    }
  }
  for (const auto& [part, free] : motions) {
    free.require_held(motions.size() == 1 ? "the mesh" : "the part of the mesh with node " + std::to_string(part));
  }
  require_no_hinge(mesh);
  require_no_lone_mode(mesh);
}

}  // namespace rooftop::elasticity
