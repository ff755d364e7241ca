#include "piece.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rooftop::elasticity {
namespace {

std::array<int, 3> place_of(int rank, const Parts& parts) {
  return {rank % parts[0], rank / parts[0] % parts[1], rank / parts[0] / parts[1]};
}

std::array<std::int64_t, 3> counts_of(const Grid& grid) { return {grid.nx, grid.ny, grid.nz}; }

}  // namespace

Piece::Piece(const Grid& whole, const Parts& parts, int rank) : Piece(whole, parts, place_of(rank, parts), {}) {
  for (std::size_t d = 0; d < 3; ++d) {
    for (int part = 0; part <= parts[d]; ++part) cuts_[d].push_back(counts_of(whole)[d] * part / parts[d]);
  }
}

Piece::Piece(const Grid& whole, const Parts& parts, const std::array<int, 3>& at, Cuts cuts)
    : whole_(whole), parts_(parts), at_(at), cuts_(std::move(cuts)) {}

Range Piece::own_in_whole() const {
  Range result{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto at = static_cast<std::size_t>(at_[d]);
    result.begin[d] = cuts_[d][at];
    result.end[d] = cuts_[d][at + 1];
  }
  return result;
}

Range Piece::all_in_whole() const {
  Range result = own_in_whole();
  for (std::size_t d = 0; d < 3; ++d) {
    result.begin[d] = std::max<std::int64_t>(0, result.begin[d] - 1);
    result.end[d] = std::min(counts_of(whole_)[d], result.end[d] + 1);
  }
  return result;
}

Grid Piece::grid() const {
  const Range all = all_in_whole();
  return {all.count(0), all.count(1), all.count(2)};
}

Range Piece::own() const {
  const Range all = all_in_whole();
  Range result = own_in_whole();
  for (std::size_t d = 0; d < 3; ++d) {
    result.begin[d] -= all.begin[d];
    result.end[d] -= all.begin[d];
  }
  return result;
}

int Piece::neighbour(const std::array<int, 3>& away) const {
  std::array<int, 3> at{};
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = at_[d] + away[d];
    if (at[d] < 0 || at[d] >= parts_[d]) return -1;
  }
  return (at[2] * parts_[1] + at[1]) * parts_[0] + at[0];
}

Piece Piece::coarser(const Coarsenings& by) const {
  Cuts cuts;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const std::int64_t cut : cuts_[d]) {
      cuts[d].push_back(std::ranges::lower_bound(by[d].kept, cut) - by[d].kept.begin());
    }
  }
  return {{by[0].nodes(), by[1].nodes(), by[2].nodes()}, parts_, at_, std::move(cuts)};
}

bool Piece::all_have_nodes() const {
  return std::ranges::all_of(
      cuts_, [](const auto& cuts) { return std::ranges::adjacent_find(cuts, std::greater_equal<>()) == cuts.end(); });
}

Coarsenings Piece::local(const Coarsenings& by, const Range& coarse) const {
  const Range fine = all_in_whole();
  Coarsenings result;
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::int64_t node = coarse.begin[d]; node < coarse.end[d]; ++node) {
      result[d].kept.push_back(by[d].kept[static_cast<std::size_t>(node)] - fine.begin[d]);
    }
    for (std::int64_t node = fine.begin[d]; node < fine.end[d]; ++node) {
      const auto at = static_cast<std::size_t>(node);
      result[d].before.push_back(by[d].before[at] - coarse.begin[d]);
      result[d].near.push_back(by[d].near[at]);
    }
  }
  return result;
}

}  // namespace rooftop::elasticity
