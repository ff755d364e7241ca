/// What ranks give of a mesh, checked by all of them together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "communicator.hpp"
#include "neighbours.hpp"
#include "rigid_motions.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace rooftop::elasticity {

/// A part that is sound. Supports and loads are those of own nodes.
struct MeshPart {
  Mesh mesh;
  std::int64_t own;                        // nodes
  std::span<const std::int64_t> numbers;   // of nodes, in the whole mesh
  std::span<const std::int64_t> elements;  // likewise
  std::vector<Neighbour> neighbours;
  RigidMotions motions;  // of the whole mesh

  [[nodiscard]] std::int64_t all() const { return static_cast<std::int64_t>(numbers.size()); }
};

/// Collective. Throws InvalidInput on every rank. Inverted elements are found when the matrix is made.
[[nodiscard]] MeshPart checked_mesh_part(const PartOfMesh& part, const Options& options,
                                         std::span<const double> displacement, const Communicator& ranks);

}  // namespace rooftop::elasticity
