/// Where a block's tiles lie: every one in a slot of its own, those of each size together.
// threads: none
#include "tile_block.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace rooftop::conv::internal {
namespace {

Tiling tiling(Index images, int m, Index out_h, Index out_w) {
  Tiling t;
  t.m = m;
  t.a = m + 2;
  t.tiles_y = ceil_div(out_h, m);
  t.tiles_x = ceil_div(out_w, m);
  t.tiles = images * t.tiles_y * t.tiles_x;
  t.last_h = last_tile(out_h, m);
  t.last_w = last_tile(out_w, m);
  return t;
}

/// The tile of each slot, -1 for a slot that no strip has, as the strips of a range of slots tell it.
std::vector<Index> tiles_of_slots(const Tiling& t, const TileBlock& b, const Slots& slots) {
  std::vector<Index> tiles(static_cast<std::size_t>(b.count), -1);
  const auto put = [&](Index slot, Index tile) {
    ASSERT_GE(slot, slots.begin);
    ASSERT_LT(slot, slots.end);
    EXPECT_EQ(tiles[static_cast<std::size_t>(slot)], -1) << "slot " << slot << " is taken twice";
    tiles[static_cast<std::size_t>(slot)] = tile;
  };
  for_each_strip(t, b, slots, [&](const Strip& s) {
    const Index first = (s.image * t.tiles_y + s.tile_y) * t.tiles_x + s.tile_x;
    EXPECT_LE(s.columns(t), strip_tiles(t.m) * t.m);
    for (Index i = 0; i < s.count; ++i) put(s.slot + i, first + i);
    if (s.edge_slot >= 0) {
      EXPECT_EQ(s.tile_x + s.count, t.tiles_x - 1);
      put(s.edge_slot, first + s.count);
    }
  });
  return tiles;
}

TEST(TileBlock, EveryTileHasASlotAmongThoseOfItsSize) {
  std::mt19937 random(1);
  const auto draw = [&](Index least, Index most) { return std::uniform_int_distribution<Index>(least, most)(random); };
  for (int i = 0; i < 3000; ++i) {
    const int m = 2 * static_cast<int>(draw(1, 3));
    const Tiling t = tiling(draw(1, 3), m, draw(1, 40), draw(1, 40));
    const Index begin = draw(0, t.tiles - 1);
    const Index end = draw(begin + 1, t.tiles);
    const TileBlock b(t, begin, end, nullptr);
    const std::vector<Index> tiles = tiles_of_slots(t, b, {0, b.count});
    EXPECT_EQ(std::set<Index>(tiles.begin(), tiles.end()).size(), tiles.size());
    const TileCounts& n = b.counts;
    ASSERT_EQ(n.low + n.full + n.narrow + n.corner, b.count);
    for (Index slot = 0; slot < b.count; ++slot) {
      const Index tile = tiles[static_cast<std::size_t>(slot)];
      ASSERT_GE(tile, begin);
      ASSERT_LT(tile, end);
      const bool low = t.last_h < m && tile / t.tiles_x % t.tiles_y == t.tiles_y - 1;
      const bool narrow = t.last_w < m && tile % t.tiles_x == t.tiles_x - 1;
      EXPECT_EQ(low, slot < n.low || slot >= n.low + n.full + n.narrow);
      EXPECT_EQ(narrow, slot >= n.low + n.full);
    }
    // Any range of slots gives the same tiles, and no others.
    const Index from = draw(0, b.count);
    const Index to = draw(from, b.count);
    const std::vector<Index> part = tiles_of_slots(t, b, {from, to});
    for (Index slot = 0; slot < b.count; ++slot) {
      const auto at = static_cast<std::size_t>(slot);
      EXPECT_EQ(part[at], slot >= from && slot < to ? tiles[at] : -1);
    }
  }
}

}  // namespace
}  // namespace rooftop::conv::internal
