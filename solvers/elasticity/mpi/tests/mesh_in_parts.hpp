/// A mesh that every rank has whole, cut into the ranks' parts, and displacements put together again.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "body_in_parts.hpp"
#include "mixed_mesh.hpp"

namespace elasticity_test {

using rooftop::elasticity::CutMesh;

/// How nodes are shared out.
enum class Sharing {
  layers,     ///< along z
  scattered,  ///< so that most of their neighbours are other ranks'
};

/// The rank of each node. Every rank has some.
inline std::vector<std::int32_t> ranks_of(const Mixed& all, Sharing how) {
  const auto size = static_cast<std::size_t>(World().size), count = all.number.size();
  std::vector<std::int32_t> result(count);
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t rank = how == Sharing::layers ? n * size / count : all.number[n] % size;
    result[all.number[n]] = static_cast<std::int32_t>(rank);
  }
  return result;
}

/// This rank's part of a mesh.
struct MeshHere {
  CutMesh cut;
  std::vector<double> displacement;
  std::size_t nodes;  // of the whole mesh

  MeshHere(const Mixed& all, const std::vector<std::int32_t>& ranks, const std::vector<double>& moved)
      : cut(rooftop::elasticity::cut(all.mesh(), ranks, World().rank)), nodes(all.number.size()) {
    for (std::size_t n = 0; n < static_cast<std::size_t>(cut.own); ++n) {
      const double* from = moved.data() + 3 * cut.numbers[n];
      displacement.insert(displacement.end(), from, from + 3);
    }
  }

  /// The displacement of the whole mesh, on every rank.
  [[nodiscard]] std::vector<double> whole() const {
    std::vector<double> result(3 * nodes);
    for (std::size_t v = 0; v < displacement.size(); ++v) {
      result[3 * static_cast<std::size_t>(cut.numbers[v / 3]) + v % 3] = displacement[v];
    }
    MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return result;
  }
};

}  // namespace elasticity_test
