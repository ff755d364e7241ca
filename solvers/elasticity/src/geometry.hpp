/// Where the nodes of a box are, and what its elements are made of; and the same of a coarser box.
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

/// Which nodes of a direction a coarser box keeps: the first, the last, and at most one less than all between two
/// others.
struct Coarsening {
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> before;  ///< for each node: which of the kept ones it is, or comes after
  std::vector<double> near;  ///< for each node: 0 if it is kept, otherwise how near it is to the next one that is, to 1

  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(kept.size()); }
  [[nodiscard]] bool keeps(std::int64_t node) const { return kept.data()[before.data()[node]] == node; }
};
/// Of x, y and z.
using Coarsenings = std::array<Coarsening, 3>;
/// Of each plane of nodes across a direction: the share of its faces with different materials on both sides.
using Interfaces = std::array<std::vector<double>, 3>;
/// Whether two materials differ by more than what a coarser element can well be the mean of.
bool differ(const Material& a, const Material& b);
/// How a box with nodes at these places along each direction becomes coarser; with interfaces, where most of a plane's
/// neighbours have none, the plane is kept.
Coarsenings coarsen(const std::array<std::vector<double>, 3>& at, const Interfaces& interfaces = {});

/// Edges are parallel to the axes, and the material is the same everywhere.
struct AlignedBox {
  Grid grid;
  std::array<std::vector<double>, 3> at;  ///< of the nodes of each direction
  Material material;

  [[nodiscard]] Coarsenings coarsenings() const;
  [[nodiscard]] AlignedBox coarser(const Coarsenings& by) const;
};

/// Nodes lie anywhere.
struct FreeBox {
  Grid grid;
  std::vector<double> coordinates;  ///< x, y, z of each node
  std::vector<double> lame, shear;  ///< of each element

  [[nodiscard]] Coarsenings coarsenings() const;
  [[nodiscard]] Interfaces interfaces() const;
  [[nodiscard]] FreeBox coarser(const Coarsenings& by, int threads) const;
};

}  // namespace rooftop::elasticity
