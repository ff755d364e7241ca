/// Sizes that every stage of a convolution needs, and how its work is cut into blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "limit.hpp"
#include "rooftop/conv.hpp"

namespace rooftop::conv::internal {

using Index = std::ptrdiff_t;

struct Geometry {
  Index n, c, h, w, k, padding;
  Index out_h, out_w;
  Index c_blocks, k_blocks;  ///< blocks of channel_block channels, the last one padded with zeros
  bool blocked_input, blocked_output;
  bool plain_filter;  ///< run() takes the filter's taps
};

/// What the threads of a team share out among them.
enum class Sharing : std::uint8_t {
  tiles,   ///< each has blocks of tiles of its own and reads the whole filter
  panels,  ///< each has panels of the filter of its own and transforms every tile
  blocks,  ///< the same panels, of blocks whose transformed input they make together, meeting before and after
};

/// The tiles of a Winograd convolution F(m x m, 3x3). A tile reads a x a pixels, a = m + 2, and writes m x m. Those of
/// the last row and column are smaller where that covers the output: last_h x m, m x last_w and last_h x last_w.
struct Tiling {
  int m = 0;
  int a = 0;
  int last_h = 0, last_w = 0;                 ///< even, at most m
  std::uint32_t last_h_rows = 0;              ///< bit i: tiles of height last_h have row i of the transform
  std::uint32_t last_w_rows = 0;              ///< the same for the columns of those of width last_w
  Index tiles_y = 0, tiles_x = 0, tiles = 0;  ///< tiles = n * tiles_y * tiles_x, in that order
  Index block_tiles = 0;                      ///< tiles that go through all stages together, at most
  Sharing sharing = Sharing::tiles;
  bool fused_filter = false;  ///< each panel of a plain filter is transformed just before its product
  bool in_registers = false;  ///< few channels: products and output transforms never leave the L1 cache
  Index u_stride = 0;         ///< floats between two positions of a fused filter
  Index v_stride = 0;         ///< floats between two positions of the transformed input of a block
  Index m_stride = 0;         ///< floats between two positions of the product of a block and a panel
};

/// Rows of the direct convolution that are packed and computed together by one thread.
struct RowBlocks {
  Index rows = 0;
  Index blocks_y = 0;      ///< of one image
  Index pixel_floats = 0;  ///< between packed pixels: channel_block, or all channels of an image that has few
  bool by_panel = false;   ///< work is shared out by panels of the filter first, otherwise by rows first
};

/// Everything a worker needs besides the arrays.
struct Job {
  Geometry geometry;
  Tiling tiling;
  RowBlocks row_blocks;
  bool stream_output;               ///< write the output past the caches, where whole lines are written
  Index filter_floats;              ///< of the transformed filter
  Index packed_row_floats;          ///< of each row of pixels of a row of tiles of an NCHW image, packed
  Index unpacked_row_floats;        ///< the same of an NCHW output before it is unpacked
  Index scratch_floats_per_thread;  ///< of each thread's own part, behind the shared part, and up to the next one's
  Index scratch_floats_shared;
  Index scratch_floats_filter;  ///< of a plain filter's transform, in front of the shared part; 0: none
};

struct Arrays {
  const float* image;
  const float* filter;
  float* output;
  float* scratch;
  running::Limit* limit = nullptr;  ///< null for none

  /// Whether to leave out what is still to do. Threads that meet at a barrier may see it at different moments.
  [[nodiscard]] bool stopped() const { return limit != nullptr && limit->stopped(); }
};

/// A filter's row of three taps over this many channels fits one slice of channel_block.
inline constexpr Index few_channels = channel_block / 3;
/// F(m) of so few channels goes through registers, a run of so many tiles at a time.
inline constexpr int in_registers_m = 4;
inline constexpr Index run_tiles = 16;
/// Runs side by side whose outputs, a few filters at a time, wait for each other: where they go past the caches to
/// planes whose rows are no whole lines.
inline constexpr Index waiting_runs = 4;
inline constexpr Index waiting_floats = 4 * waiting_runs * run_tiles * in_registers_m * in_registers_m;

/// Channels summed in registers before the sum is added to M: this panel's part and the next one's, fetched meanwhile,
/// stay in the L1 cache, and splitting the long sum more than halves its rounding error at 512 channels.
inline constexpr Index chunk_channels = 64;

inline constexpr Index line_floats = 16;  ///< of a cache line

constexpr Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }
constexpr Index round_up(Index a, Index b) { return ceil_div(a, b) * b; }

/// Outputs of the last tile of F(m) along a side of `out` of them.
constexpr int last_tile(Index out, int m) { return static_cast<int>(round_up(out - (ceil_div(out, m) - 1) * m, 2)); }
/// Rows of the transforms of all tiles of F(m) along a side of `out` outputs.
constexpr Index transform_length(Index out, int m) { return (ceil_div(out, m) - 1) * (m + 2) + last_tile(out, m) + 2; }

/// Floats between the arrays of one thread and those of the next. Positions of V and M are walked at distances of many
/// lines, which the hardware goes on with behind an array's end: it would fetch lines that a neighbour writes, and take
/// them from it.
inline constexpr Index apart_floats = 64 * 1024;

/// Floats between equally long arrays that are walked side by side: an odd number of cache lines, so that the same
/// offset in each falls into different cache sets.
constexpr Index spread_stride(Index floats) { return (ceil_div(floats, 16) | 1) * 16; }

}  // namespace rooftop::conv::internal
