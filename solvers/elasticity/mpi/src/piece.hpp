/// A rank's part of a box of nodes, and the nodes beside it that other ranks have.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry.hpp"
#include "grid.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace rooftop::elasticity {

class Piece {
 public:
  Piece(const Grid& whole, const Parts& parts, int rank);

  [[nodiscard]] const Grid& whole() const { return whole_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }
  /// The nodes that are this rank's, in the whole box.
  [[nodiscard]] Range own_in_whole() const;
  /// With the nodes of other ranks that have an element with one of these: what the local grid has.
  [[nodiscard]] Range all_in_whole() const;
  [[nodiscard]] Grid grid() const;
  /// The nodes that are this rank's, in the local grid.
  [[nodiscard]] Range own() const;
  /// Which rank lies so many parts further on in each direction; -1 where there is none.
  [[nodiscard]] int neighbour(const std::array<int, 3>& away) const;

  /// The part of a coarser box: the nodes of this part that it keeps.
  [[nodiscard]] Piece coarser(const Coarsenings& by) const;
  /// Whether each rank has a node.
  [[nodiscard]] bool all_have_nodes() const;
  /// Which nodes of the local grid a coarser box keeps, of which this rank knows the nodes in `coarse`. Both are
  /// counted from the first that is known.
  [[nodiscard]] Coarsenings local(const Coarsenings& by, const Range& coarse) const;

 private:
  using Cuts = std::array<std::vector<std::int64_t>, 3>;
  Piece(const Grid& whole, const Parts& parts, const std::array<int, 3>& at, Cuts cuts);

  Grid whole_;
  Parts parts_;
  std::array<int, 3> at_;  // of this rank, among the parts
  Cuts cuts_;              // each part's first node, and behind the last
};

/// each(node of the local grid, where it lies in the whole one) for this rank's nodes.
template <class Each>
void for_own(const Piece& piece, Each each) {
  const Grid grid = piece.grid();
  const Range own = piece.own();
  const std::array<std::int64_t, 3> first = piece.all_in_whole().begin;
  for (std::int64_t k = own.begin[2]; k < own.end[2]; ++k) {
    for (std::int64_t j = own.begin[1]; j < own.end[1]; ++j) {
      for (std::int64_t i = own.begin[0]; i < own.end[0]; ++i) {
        each(grid.node(i, j, k), std::array<std::int64_t, 3>{first[0] + i, first[1] + j, first[2] + k});
      }
    }
  }
}

}  // namespace rooftop::elasticity
