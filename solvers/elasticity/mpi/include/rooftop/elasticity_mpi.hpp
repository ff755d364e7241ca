/// Linear elasticity on boxes of hexahedra or meshes, distributed over the ranks of an MPI communicator.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Number of parts in each direction. Ranks are numbered with x fastest, then y, then z.
using Parts = std::array<int, 3>;

/// Divides a box among ranks such that the largest surface of a part towards others is smallest. Throws InvalidInput if
/// no division gives each rank a node.
[[nodiscard]] Parts parts_of(const std::array<std::int64_t, 3>& nodes, int ranks);

/// A rank's part of a box.
struct PartOfBox {
  std::array<std::int64_t, 3> first;     ///< node, and element, in each direction
  std::array<std::int64_t, 3> nodes;     ///< how many, in each direction
  std::array<std::int64_t, 3> elements;  ///< those whose first corner is one of its nodes; perhaps none
};
[[nodiscard]] PartOfBox part_of(const std::array<std::int64_t, 3>& nodes, const Parts& parts, int rank);

/// A box, and a rank's part of its data, ordered as in Body. Spans must stay valid during a call.
struct PartOfBody {
  std::array<std::int64_t, 3> nodes{};  ///< of the whole box, in each direction, 2 or more
  Parts parts{};                        ///< as many as ranks
  std::span<const double>
      coordinates;                     ///< of this rank's nodes; empty on all ranks: elements are cubes with edges of 1
  std::span<const double> young;       ///< one value, or one for each of this rank's elements
  std::span<const double> poisson;     ///< likewise
  std::span<const double> load;        ///< of this rank's nodes
  std::span<const std::uint8_t> held;  ///< of this rank's nodes
};

/// A rank's part of a mesh: its own nodes, all elements that have one of them, and copies of the other nodes of these
/// elements. Spans must stay valid during a call.
struct PartOfMesh {
  std::span<const std::int64_t> numbers;   ///< global node numbers: own nodes first, then copies
  std::span<const std::int32_t> owners;    ///< rank that owns the node, for each copy
  std::span<const std::int64_t> elements;  ///< global element numbers, for messages
  std::span<const double> coordinates;     ///< of own nodes and copies
  std::vector<ElementBlock> blocks;        ///< as in Mesh, with local node numbers
  std::span<const double> young;           ///< one value, or one for each element here
  std::span<const double> poisson;         ///< likewise
  std::span<const double> load;            ///< of own nodes
  std::span<const std::uint8_t> held;      ///< of own nodes
};

/// A rank's part cut out of a mesh. Own nodes whose elements have no copies come first.
struct CutMesh {
  /// Elements of a kind, each by its nodes.
  struct Elements {
    ElementKind kind;
    std::vector<std::int64_t> nodes;
  };

  std::int64_t own = 0;  ///< nodes
  std::vector<std::int64_t> numbers, elements;
  std::vector<Elements> blocks;
  std::vector<std::int32_t> owners;
  std::vector<double> coordinates, young, poisson, load;
  std::vector<std::uint8_t> held;

  [[nodiscard]] PartOfMesh part() const {
    std::vector<ElementBlock> here;
    for (const Elements& block : blocks) here.push_back({block.kind, block.nodes});
    return {numbers, owners, elements, coordinates, here, young, poisson, load, held};
  }
};
/// Cuts a rank's part out of a mesh. `ranks` has the owner of each node, such as METIS computes. Throws InvalidInput.
[[nodiscard]] CutMesh cut(const Mesh& whole, std::span<const std::int32_t> ranks, int rank);

/// Options, the same on every rank except `stop` and `watch`: if they end the iteration on one rank, it ends on all.
struct OptionsByRanks : Options {
  bool overlap = false;  ///< whether to compute products of own nodes while values of other ranks are in transit
};

/// Solves for the displacement of a box as solve() of a Body does, with the same number of iterations except for
/// rounding. `displacement` has this rank's nodes. The result is the same on every rank: the sum of bytes, and the
/// largest seconds. Collective; call it from the thread that initialized MPI. If it throws on one rank, it throws on
/// all: InvalidInput, which names the rank if the error is in that rank's part, or std::bad_alloc.
Result solve(const PartOfBody& body, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm ranks);
/// Solves for the displacement of a mesh as solve() of a Mesh does. `displacement` has this rank's own nodes. Multigrid
/// aggregates nodes within each rank, so the number of iterations depends on the partition. Each rank must have all
/// elements of its own nodes, as the parts returned by cut() do.
Result solve(const PartOfMesh& mesh, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm ranks);

}  // namespace rooftop::elasticity
