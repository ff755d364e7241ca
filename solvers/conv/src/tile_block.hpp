/// The tiles that go through all stages together, and the order in which V and M hold them.
#pragma once

#include <algorithm>

#include "geometry.hpp"

namespace rooftop::conv::internal {

/// Tiles that go through a transform together, so that neighbours share the columns in which they overlap: pixels,
/// intermediate columns and the lines of V and M that a strip touches all stay in the L1 cache.
constexpr Index strip_tiles(int m) { return 16 / m; }

/// A horizontal run of tiles of one image: `count` of full width in slots from `slot` on, then one of the last column
/// if that is narrower, in slot `edge_slot` (-1: none).
struct Strip {
  Index image, tile_y, tile_x, count;
  Index slot, edge_slot;

  [[nodiscard]] Index columns(const Tiling& t) const { return count * t.m + (edge_slot < 0 ? 0 : t.last_w); }
  [[nodiscard]] int height(const Tiling& t) const { return tile_y == t.tiles_y - 1 ? t.last_h : t.m; }
};

/// How many tiles of each size: last_h x m, m x m, m x last_w, last_h x last_w. Slots are in this order: the tiles that
/// have a given position are then neighbours.
struct TileCounts {
  Index low = 0, full = 0, narrow = 0, corner = 0;
};

/// Consecutive tiles of a tiling, and their transformed input v[position][channel block][slot][16].
struct TileBlock {
  TileBlock(const Tiling& tiling, Index begin_tile, Index end_tile, float* transformed)
      : begin(begin_tile), count(end_tile - begin_tile), v(transformed) {
    for (Index tile = begin_tile; tile < end_tile;) {
      const Index x = tile % tiling.tiles_x, run = std::min(tiling.tiles_x - x, end_tile - tile);
      const Index edge = tiling.last_w < tiling.m && x + run == tiling.tiles_x ? 1 : 0;
      const bool low = is_low(tiling, tile);
      (low ? counts.low : counts.full) += run - edge;
      (low ? counts.corner : counts.narrow) += edge;
      tile += run;
    }
  }

  static bool is_low(const Tiling& t, Index tile) {
    return t.last_h < t.m && tile / t.tiles_x % t.tiles_y == t.tiles_y - 1;
  }

  Index begin, count;
  float* v;
  TileCounts counts;
};

/// A range of slots.
struct Slots {
  Index begin, end;
};

/// The slots of a block whose tiles have position (row, column) of the transform.
inline Slots slots_at(const Tiling& t, const TileCounts& counts, int row, int column) {
  const bool low = (t.last_h_rows >> row & 1U) != 0, narrow = (t.last_w_rows >> column & 1U) != 0;
  const Index full_end = counts.low + counts.full;
  const Index corner = low ? counts.corner : 0;
  return {low ? 0 : counts.low, narrow ? full_end + counts.narrow + corner : full_end};
}

/// Calls visit(strip) for the block's tiles in the given slots, cut at image rows and at every strip_tiles of a row.
template <class Visit>
void for_each_strip(const Tiling& t, const TileBlock& b, const Slots& slots, const Visit& visit) {
  const TileCounts& counts = b.counts;
  TileCounts next{0, counts.low, counts.low + counts.full, counts.low + counts.full + counts.narrow};
  const Index end = b.begin + b.count;
  for (Index tile = b.begin; tile < end;) {
    const Index row = tile / t.tiles_x, x = tile % t.tiles_x;
    const Index run = std::min({strip_tiles(t.m) - x % strip_tiles(t.m), t.tiles_x - x, end - tile});
    const Index edge = t.last_w < t.m && x + run == t.tiles_x ? 1 : 0;
    const bool low = TileBlock::is_low(t, tile);
    Index& slot = low ? next.low : next.full;
    Index& edge_slot = low ? next.corner : next.narrow;
    const Index from = std::clamp(slots.begin - slot, Index{0}, run - edge);
    const Index to = std::clamp(slots.end - slot, from, run - edge);
    const bool edge_inside = edge != 0 && edge_slot >= slots.begin && edge_slot < slots.end;
    // The last tile goes with those before it, unless the slots end between them.
    const bool together = edge_inside && to == run - edge;
    if (to > from) {
      visit(Strip{row / t.tiles_y, row % t.tiles_y, x + from, to - from, slot + from, together ? edge_slot : -1});
    }
    if (edge_inside && !(together && to > from)) {
      visit(Strip{row / t.tiles_y, row % t.tiles_y, x + run - 1, 0, 0, edge_slot});
    }
    slot += run - edge;
    edge_slot += edge;
    tile += run;
  }
}

}  // namespace rooftop::conv::internal
