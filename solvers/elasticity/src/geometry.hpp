/// Where the nodes of a box are, and what its elements are made of; and the same of a box with every second node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grid.hpp"

namespace rooftop::elasticity {

/// First coefficients of Hooke's law: stress = lame tr(strain) I + 2 shear strain.
struct Material {
  double lame, shear;
};
Material material(double young, double poisson);

/// Every second node of a direction, and the last one.
inline std::int64_t coarse_nodes(std::int64_t nodes) { return nodes / 2 + 1; }
/// The node that a node of the coarser box is.
inline std::int64_t fine_node(std::int64_t coarse, std::int64_t nodes) { return std::min(2 * coarse, nodes - 1); }

/// Edges are parallel to the axes, and the material is the same everywhere.
struct AlignedBox {
  Grid grid;
  std::array<std::vector<double>, 3> at;  ///< of the nodes of each direction
  Material material;

  [[nodiscard]] AlignedBox coarser() const;
};

/// Nodes lie anywhere.
struct FreeBox {
  Grid grid;
  std::vector<double> coordinates;  ///< x, y, z of each node
  std::vector<double> lame, shear;  ///< of each element

  [[nodiscard]] FreeBox coarser(int threads) const;
};

/// For each node of a direction that is none of the coarser box: how near it is to the next one that is, from 0 to 1.
using Nearness = std::array<std::vector<double>, 3>;
Nearness nearness(const AlignedBox& box);
Nearness nearness(const FreeBox& box);

}  // namespace rooftop::elasticity
