#include "neighbours.hpp"

#include <array>
#include <cstddef>

namespace rooftop::elasticity {
namespace {

std::vector<Run> lines_of(const Range& range, const Grid& grid) {
  std::vector<Run> result;
  for (std::int64_t k = range.begin[2]; k < range.end[2]; ++k) {
    for (std::int64_t j = range.begin[1]; j < range.end[1]; ++j) {
      result.push_back({grid.node(range.begin[0], j, k), range.count(0)});
    }
  }
  return result;
}

}  // namespace

std::vector<Neighbour> neighbours_of(const Piece& piece) {
  const Range own = piece.own();
  std::vector<Neighbour> result;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::array<int, 3> away{dx, dy, dz};
        const int rank = piece.neighbour(away);
        if (rank < 0 || away == std::array<int, 3>{}) continue;
        Range sent = own, received = own;
        for (std::size_t d = 0; d < 3; ++d) {
          if (away[d] < 0) {
            sent.end[d] = own.begin[d] + 1;
            received.begin[d] = own.begin[d] - 1;
            received.end[d] = own.begin[d];
          } else if (away[d] > 0) {
            sent.begin[d] = own.end[d] - 1;
            received.begin[d] = own.end[d];
            received.end[d] = own.end[d] + 1;
          }
        }
        result.push_back({rank, lines_of(sent, piece.grid()), lines_of(received, piece.grid())});
      }
    }
  }
  return result;
}

std::vector<Run> runs_of(const std::vector<std::int64_t>& nodes) {
  std::vector<Run> result;
  for (const std::int64_t node : nodes) {
    if (!result.empty() && result.back().begin + result.back().count == node) {
      ++result.back().count;
    } else {
      result.push_back({node, 1});
    }
  }
  return result;
}

}  // namespace rooftop::elasticity
