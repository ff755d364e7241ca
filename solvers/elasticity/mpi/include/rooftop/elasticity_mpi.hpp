/// Linear elasticity on a box of hexahedra, or a mesh of finite elements, that the ranks of an MPI job share.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// So many parts in each direction. Ranks count with x fastest, then y, then z.
using Parts = std::array<int, 3>;

/// The division of a box for so many ranks whose largest part has the smallest surface towards others. Throws
/// InvalidInput where there is none that gives each rank a node.
[[nodiscard]] Parts parts_of(const std::array<std::int64_t, 3>& nodes, int ranks);

/// What a rank has of a box.
struct PartOfBox {
  std::array<std::int64_t, 3> first;     ///< node, and element, in each direction
  std::array<std::int64_t, 3> nodes;     ///< how many, in each direction
  std::array<std::int64_t, 3> elements;  ///< those whose first corner is one of its nodes; perhaps none
};
[[nodiscard]] PartOfBox part_of(const std::array<std::int64_t, 3>& nodes, const Parts& parts, int rank);

/// A box, and a rank's part of what belongs to it, in the order that Body has it in. Spans are borrowed for the length
/// of a call.
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

/// What a rank has of a mesh: its own nodes, all elements that have one of these, and copies of the nodes of other
/// ranks that these elements have. Spans are borrowed for the length of a call.
struct PartOfMesh {
  std::span<const std::int64_t> numbers;   ///< of each node in the whole mesh: own nodes first, then copies
  std::span<const std::int32_t> owners;    ///< the rank that has the node, of each copy
  std::span<const std::int64_t> elements;  ///< number of each element in the whole mesh, which messages have
  std::span<const double> coordinates;     ///< of own nodes and copies
  std::vector<ElementBlock> blocks;        ///< as those of Mesh; nodes count here
  std::span<const double> young;           ///< one value, or one for each element here
  std::span<const double> poisson;         ///< likewise
  std::span<const double> load;            ///< of own nodes
  std::span<const std::uint8_t> held;      ///< of own nodes
};

/// A rank's part that was cut out of a mesh. Own nodes that have no element with a copy come first.
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
/// `ranks`: of each node, the rank that has it. METIS, for example, computes such partitions. Throws InvalidInput.
[[nodiscard]] CutMesh cut(const Mesh& whole, std::span<const std::int32_t> ranks, int rank);

/// The same on every rank, but for `stop` and `watch`, which end the iteration on all ranks where they end it on one.
struct OptionsByRanks : Options {
  bool overlap = false;  ///< whether a product begins with a rank's own nodes while values of the others are under way
};

/// Solves as solve() of a Body does, with the same numbers of iterations but for rounding. `displacement` has this
/// rank's nodes. The result is the same on every rank: bytes are those of all ranks, seconds those of the slowest.
/// Collective, and called from the thread that MPI was initialized in. Throws on every rank what it throws on one:
/// InvalidInput, which names the rank where it is about that rank's part, and std::bad_alloc.
Result solve(const PartOfBody& body, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm ranks);
/// The same for a mesh, as solve() of a Mesh does. `displacement` has this rank's own nodes. Aggregates of nodes are
/// those of each rank, so that numbers of iterations depend on the ranks. Rows are complete if each rank has all
/// elements of its nodes: what cut() returns has.
Result solve(const PartOfMesh& mesh, const OptionsByRanks& options, std::span<double> displacement, MPI_Comm ranks);

}  // namespace rooftop::elasticity
