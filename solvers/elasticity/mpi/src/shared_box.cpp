#include "shared_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace rooftop::elasticity {
namespace {

std::array<std::int64_t, 3> counts_of(const Grid& grid) { return {grid.nx, grid.ny, grid.nz}; }

}  // namespace

Boxes SharedBox::local(const Range& nodes) const {
  Boxes result;
  const Grid grid{nodes.count(0), nodes.count(1), nodes.count(2)};
  if (aligned) {
    const std::array<std::int64_t, 3> first = piece.all_in_whole().begin;
    AlignedBox box{grid, {}, aligned->material};
    for (std::size_t d = 0; d < 3; ++d) {
      const auto from = aligned->at[d].begin() + first[d];
      box.at[d].assign(from + nodes.begin[d], from + nodes.end[d]);
    }
    result.aligned = std::move(box);
    return result;
  }
  FreeBox box{grid, {}, {}, {}};
  for (std::int64_t k = nodes.begin[2]; k < nodes.end[2]; ++k) {
    for (std::int64_t j = nodes.begin[1]; j < nodes.end[1]; ++j) {
      for (std::int64_t i = nodes.begin[0]; i < nodes.end[0]; ++i) {
        const std::int64_t node = piece.grid().node(i, j, k);
        for (int c = 0; c < components; ++c) box.coordinates.push_back(free->at[c][node]);
        if (i + 1 == nodes.end[0] || j + 1 == nodes.end[1] || k + 1 == nodes.end[2]) continue;
        box.lame.push_back(free->material[0][node]);
        box.shear.push_back(free->material[1][node]);
      }
    }
  }
  result.free = std::move(box);
  return result;
}

std::int64_t SharedBox::element_in_whole(std::int64_t element) const {
  const Grid grid = piece.grid(), &whole = piece.whole();
  const std::array<std::int64_t, 3> first = piece.all_in_whole().begin;
  const std::int64_t x = grid.nx - 1, y = grid.ny - 1;
  const std::int64_t i = first[0] + element % x, j = first[1] + element / x % y, k = first[2] + element / x / y;
  return (k * (whole.ny - 1) + j) * (whole.nx - 1) + i;
}

/// As FreeBox::coarsenings(), of edges that begin at nodes of all ranks.
Coarsenings SharedBox::coarsenings(const Communicator& ranks) const {
  if (aligned) return aligned->coarsenings();
  const Grid grid = piece.grid();
  const std::array<std::int64_t, 3> counts = counts_of(piece.whole()), steps{1, grid.nx, grid.plane()};
  std::array<std::vector<double>, 3> at;
  Interfaces interfaces;
  for (std::size_t d = 0; d < 3; ++d) at[d].assign(static_cast<std::size_t>(counts[d]), 0.0);
  interfaces = at;
  const auto elements = static_cast<double>(piece.whole().elements());
  const auto material_at = [&](std::int64_t node) {
    return Material{free->material[0][node], free->material[1][node]};
  };
  for_own(piece, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
    const bool element = where[0] + 1 < counts[0] && where[1] + 1 < counts[1] && where[2] + 1 < counts[2];
    for (std::size_t d = 0; d < 3; ++d) {
      if (element && where[d] > 0 && differ(material_at(node), material_at(node - steps[d]))) {
        interfaces[d][static_cast<std::size_t>(where[d])] += static_cast<double>(counts[d] - 1) / elements;
      }
      if (where[d] + 1 == counts[d]) continue;
      double square = 0;
      for (int c = 0; c < components; ++c) {
        const double along = free->at[c][node + steps[d]] - free->at[c][node];
        square += along * along;
      }
      at[d][static_cast<std::size_t>(where[d] + 1)] += std::sqrt(square);
    }
  });
  for (std::size_t d = 0; d < 3; ++d) {
    ranks.sum(at[d]);
    ranks.sum(interfaces[d]);
    const auto lines = static_cast<double>(piece.whole().nodes() / counts[d]);
    for (std::size_t i = 1; i < at[d].size(); ++i) at[d][i] = at[d][i - 1] + at[d][i] / lines;
  }
  return coarsen(at, interfaces);
}

/// As FreeBox::coarser(). Elements of which the last part begins beside this rank's nodes are known: the values of
/// these are, too.
SharedBox SharedBox::coarser(const Coarsenings& by, int threads, const Communicator& ranks) const {
  Piece coarse = piece.coarser(by);
  if (aligned) return {std::move(coarse), aligned->coarser(by)};
  std::optional<FreePart> part;
  std::optional<Halo<double>> halo;
  ranks.together([&] {
    part.emplace(Field<double>(coarse.grid(), threads), Field<double>(coarse.grid(), threads));
    if (coarse.all_have_nodes()) halo.emplace(neighbours_of(coarse), ranks);
  });
  const Grid grid = piece.grid();
  const std::array<std::int64_t, 3> first = piece.all_in_whole().begin;
  for_own(coarse, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
    std::array<std::int64_t, 3> from{}, until{};
    bool element = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto at = static_cast<std::size_t>(where[d]);
      const bool last = at + 1 == by[d].kept.size();
      from[d] = by[d].kept[at] - first[d];
      until[d] = last ? from[d] : by[d].kept[at + 1] - first[d];
      element = element && !last;
    }
    const std::int64_t corner = grid.node(from[0], from[1], from[2]);
    for (int c = 0; c < components; ++c) part->at[c][node] = free->at[c][corner];
    if (!element) return;
    std::array<double, 2> sums{};
    for (std::int64_t k = from[2]; k < until[2]; ++k) {
      for (std::int64_t j = from[1]; j < until[1]; ++j) {
        for (std::int64_t i = from[0]; i < until[0]; ++i) {
          for (std::size_t m = 0; m < sums.size(); ++m) {
            sums[m] += free->material[static_cast<int>(m)][grid.node(i, j, k)];
          }
        }
      }
    }
    const auto count = static_cast<double>((until[0] - from[0]) * (until[1] - from[1]) * (until[2] - from[2]));
    for (std::size_t m = 0; m < sums.size(); ++m) part->material[static_cast<int>(m)][node] = sums[m] / count;
  });
  if (halo) {
    halo->exchange(part->at);
    halo->exchange(part->material);
  }
  return {std::move(coarse), std::move(*part)};
}

Boxes SharedBox::gathered(const Communicator& ranks) const {
  Boxes result;
  if (aligned) {
    result.aligned = aligned;
    return result;
  }
  const Grid& whole = piece.whole();
  FreeBox box{whole, {}, {}, {}};
  ranks.together([&] {
    box.coordinates.resize(static_cast<std::size_t>(components * whole.nodes()));
    box.lame.resize(static_cast<std::size_t>(whole.elements()));
    box.shear.resize(box.lame.size());
  });
  for_own(piece, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
    const std::int64_t there = whole.node(where[0], where[1], where[2]);
    for (int c = 0; c < components; ++c) {
      box.coordinates[static_cast<std::size_t>(components * there + c)] = free->at[c][node];
    }
    if (where[0] + 1 == whole.nx || where[1] + 1 == whole.ny || where[2] + 1 == whole.nz) return;
    const auto element = static_cast<std::size_t>((where[2] * (whole.ny - 1) + where[1]) * (whole.nx - 1) + where[0]);
    box.lame[element] = free->material[0][node];
    box.shear[element] = free->material[1][node];
  });
  ranks.sum(box.coordinates);
  ranks.sum(box.lame);
  ranks.sum(box.shear);
  result.free = std::move(box);
  return result;
}

Field<float> gathered(const Piece& piece, const Field<float>& own, const Communicator& ranks) {
  const Grid& whole = piece.whole();
  std::optional<Field<float>> result;
  ranks.together([&] { result.emplace(whole, 1); });
  for_own(piece, [&](std::int64_t node, const std::array<std::int64_t, 3>& where) {
    for (int c = 0; c < components; ++c) (*result)[c][whole.node(where[0], where[1], where[2])] = own[c][node];
  });
  for (int c = 0; c < components; ++c) ranks.sum(std::span((*result)[c], static_cast<std::size_t>(whole.nodes())));
  return std::move(*result);
}

}  // namespace rooftop::elasticity
