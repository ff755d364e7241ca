// Divisions of a box among ranks.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "piece.hpp"
#include "rooftop/elasticity_mpi.hpp"

namespace rooftop::elasticity {
namespace {

/// Nodes on the sides of the largest part that others lie behind.
double surface(const std::array<std::int64_t, 3>& nodes, const Parts& parts) {
  std::array<double, 3> most{};
  for (std::size_t d = 0; d < 3; ++d) most[d] = static_cast<double>((nodes[d] + parts[d] - 1) / parts[d]);
  double result = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const int sides = std::min(parts[d] - 1, 2);
    result += sides * most[(d + 1) % 3] * most[(d + 2) % 3];
  }
  return result;
}

}  // namespace

Parts parts_of(const std::array<std::int64_t, 3>& nodes, int ranks) {
  Parts best{};
  double least = std::numeric_limits<double>::infinity();
  // Of equals the one that cuts z most, whose parts lie together in memory.
  for (int x = 1; x <= ranks; ++x) {
    if (ranks % x != 0 || x > nodes[0]) continue;
    for (int y = 1; y <= ranks / x; ++y) {
      if (ranks / x % y != 0 || y > nodes[1] || ranks / x / y > nodes[2]) continue;
      const Parts parts{x, y, ranks / x / y};
      if (const double here = surface(nodes, parts); here < least) {
        least = here;
        best = parts;
      }
    }
  }
  if (best[0] == 0) {
    throw InvalidInput(std::to_string(ranks) + " ranks cannot share " + std::to_string(nodes[0]) + " x " +
                       std::to_string(nodes[1]) + " x " + std::to_string(nodes[2]) +
                       " nodes; expected a number of ranks that is a product of as many parts as there are nodes, or "
                       "fewer, in each direction");
  }
  return best;
}

PartOfBox part_of(const std::array<std::int64_t, 3>& nodes, const Parts& parts, int rank) {
  const Range own = Piece({nodes[0], nodes[1], nodes[2]}, parts, rank).own_in_whole();
  PartOfBox result{};
  for (std::size_t d = 0; d < 3; ++d) {
    result.first[d] = own.begin[d];
    result.nodes[d] = own.count(d);
    result.elements[d] = std::min(own.end[d], nodes[d] - 1) - own.begin[d];
  }
  return result;
}

}  // namespace rooftop::elasticity
