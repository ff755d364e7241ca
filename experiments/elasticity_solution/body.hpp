/// The bodies that are solved for: where nodes lie, how stiff elements are, what is held and what pulls.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "problem.hpp"

namespace elasticity_solution {

/// By its name; nothing where there is no such kind.
[[nodiscard]] std::optional<Kind> kind_named(std::string_view name);

/// x, y and z of each node, from a seed where nodes are moved. No element is inverted.
void place_nodes(const Mesh& mesh, Kind kind, std::uint64_t seed, double* coordinates);

/// Young's modulus of each element.
void fill_young(const Mesh& mesh, Kind kind, double* young);

/// 1 where a displacement is held at zero, else 0.
void hold(const Mesh& mesh, Kind kind, std::uint8_t* held);

/// Traction 1 along z on the plane of the largest z, whose faces are rectangles: to each corner a quarter of its area;
/// of two triangles a third of its own to each of their corners. Nothing where a displacement is held.
void pull(const Mesh& mesh, Kind kind, const double* coordinates, double* load);

}  // namespace elasticity_solution
