/// A box that is thin bends, which coarser boxes of trilinear elements are too stiff for: it is solved as a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Of the edges along each direction: their lengths together, and how many. Processes that share a box add theirs up.
using Edges = std::array<double, 6>;
[[nodiscard]] Edges edges_of(const Boxes& box);
/// Whether a whole box with so many nodes and edges of such lengths, on the average, is much longer than it is thick.
[[nodiscard]] bool is_thin(const Grid& whole, const Edges& edges);

/// What a mesh borrows from a box. Nodes and elements have the box' numbers.
struct BoxAsMesh {
  std::vector<double> coordinates, young, poisson;
  std::vector<std::int64_t> hexahedra;
};
[[nodiscard]] BoxAsMesh as_mesh(const Boxes& box);

}  // namespace rooftop::elasticity
