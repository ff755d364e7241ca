/// Which nodes a rank's neighbours need of it, and which it needs of them.
#pragma once

#include <cstdint>
#include <vector>

#include "piece.hpp"

namespace rooftop::elasticity {

/// Nodes that follow each other.
struct Run {
  std::int64_t begin, count;
};
[[nodiscard]] inline std::int64_t nodes_of(const std::vector<Run>& runs) {
  std::int64_t sum = 0;
  for (const Run& run : runs) sum += run.count;
  return sum;
}

/// A rank, and the local nodes whose values it is sent, and those whose values it sends. Both ranks have them in the
/// same order.
struct Neighbour {
  int rank;
  std::vector<Run> sent, received;
};

/// Of a part of a box: those at its faces, edges and corners.
[[nodiscard]] std::vector<Neighbour> neighbours_of(const Piece& piece);
/// Nodes in their order, as runs.
[[nodiscard]] std::vector<Run> runs_of(const std::vector<std::int64_t>& nodes);

}  // namespace rooftop::elasticity
