// The three stages of a Winograd convolution over blocks of tiles.

#if defined(ROOFTOP_CONV_WINOGRAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_WINOGRAD_INL
#undef ROOFTOP_CONV_WINOGRAD_INL
#else
#define ROOFTOP_CONV_WINOGRAD_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <numeric>

#include "filter-inl.hpp"
#include "product-inl.hpp"
#include "tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

/// What one thread multiplies at a time: some slots of a block by one panel of the filter. m[position][slot][filter in
/// panel] stays in the thread's own L2 cache until its output is written.
struct Piece {
  Slots slots;
  Index panel;
  float* m;
};

/// V of a block for some blocks of channels. packed: a thread's own, for a row of tiles of an NCHW image.
template <int M>
HWY_INLINE void input_stage(const Job& job, const float* image, const TileBlock& b, Index channel_begin,
                            Index channel_end, float* packed) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  for (Index block = channel_begin; block < channel_end; ++block) {
    float* const v = b.v + block * b.count * channel_block;
    PixelRows rows{};
    Index packed_row = -1;
    for_each_strip(t, b, {0, b.count}, [&](const Strip& s) HWY_ATTR {
      const Index tile_row = s.image * t.tiles_y + s.tile_y, first = tile_row * t.tiles_x + s.tile_x;
      if (g.blocked_input) {
        const Index row_floats = g.w * channel_block;
        rows = {image + (s.image * g.c_blocks + block) * g.h * row_floats, row_floats, 0, 0};
      } else if (tile_row != packed_row) {
        packed_row = tile_row;
        const Index tiles = std::min(t.tiles_x - s.tile_x, b.begin + b.count - first);
        rows = pack_rows_of_tiles<M>(job, image, s, tiles, block, packed);
      }
      with_tile_size<M>(s.height(t), [&](auto height) HWY_ATTR { transform_input<M, height()>(job, rows, s, v); });
    });
  }
}

/// Some channels' part of the filter for one panel, u[position][channel][filter].
struct FilterPart {
  const float* u;
  Index stride;  ///< floats between positions
  Index first_block, end_block;
};

/// The product at all positions, of the tiles that have them. The filter is read in the order in which it lies in
/// memory.
HWY_INLINE void product_stage(const Job& job, const FilterPart& filter, const TileBlock& b, const Piece& piece) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Panel p = panel_of(g, piece.panel);
  constexpr Index most = chunk_blocks;
  Index offsets[most];
  for (Index i = 0; i < most; ++i) offsets[i] = i * b.count * channel_block;
  const Index chunk_floats = most * channel_block * p.width;
  const float* u = filter.u;
  for (Index position = 0; position < Index{t.a} * t.a; ++position, u += filter.stride) {
    const Slots all = slots_at(t, b.counts, static_cast<int>(position / t.a), static_cast<int>(position % t.a));
    const Index begin = std::max(all.begin, piece.slots.begin), end = std::min(all.end, piece.slots.end);
    if (begin >= end) continue;
    const float* const rows = b.v + position * t.v_stride + begin * channel_block;
    const float* panel = u;
    for (Index block = filter.first_block; block < filter.end_block; block += most, panel += chunk_floats) {
      const Index slices = std::min(most, filter.end_block - block), channels = g.c - block * channel_block;
      const bool last = block + slices == filter.end_block;
      const Product product{
          .rows = rows + block * b.count * channel_block,
          .row_stride = channel_block,
          .offsets = offsets,
          .panel = panel,
          .panel_stride = p.width,
          .out = piece.m + position * t.m_stride + (begin - piece.slots.begin) * p.width,
          .out_row_stride = p.width,
          .out_block_stride = channel_block,
          .slices = static_cast<int>(slices),
          .full_slices = static_cast<int>(std::min(slices, channels / channel_block)),
          .tail_channels = static_cast<int>(channels % channel_block),
          .accumulate = block > 0,
          .stream = false,
          .next = last ? u + filter.stride : panel + chunk_floats,
          .next_floats = std::min(chunk_floats, filter.stride),
          .next_step = 0,
      };
      multiply_add_block(product, end - begin, p.width);
    }
  }
}

/// The product with a filter that is transformed for it, so many channels at a time as are summed in registers.
template <class F>
HWY_INLINE void fused_product_stage(const Job& job, const float* filter, const TileBlock& b, const Piece& piece,
                                    float* u) {
  const Geometry& g = job.geometry;
  const Panel p = panel_of(g, piece.panel);
  for (Index block = 0; block < g.c_blocks; block += chunk_blocks) {
    const Index end = std::min(block + chunk_blocks, g.c_blocks);
    transform_filter_chunk<F>(g, filter, p, block, end - block, u, job.tiling.u_stride);
    product_stage(job, {u, job.tiling.u_stride, block, end}, b, piece);
  }
}

/// The output of a piece. rows: a thread's own, for a row of tiles of an NCHW output.
template <int M>
HWY_INLINE void output_stage(const Job& job, float* output, const TileBlock& b, const Piece& piece, float* rows) {
  const Geometry& g = job.geometry;
  const Panel p = panel_of(g, piece.panel);
  for (Index i = 0; i < p.width; i += channel_block) {
    const float* const product = piece.m + i - piece.slots.begin * p.width;
    const Index block = (p.first + i) / channel_block;
    const auto strips = [&](auto stream, const auto& place, Index row_floats) HWY_ATTR {
      for_each_strip(job.tiling, b, piece.slots, [&](const Strip& s) HWY_ATTR {
        with_tile_size<M>(s.height(job.tiling), [&](auto height) HWY_ATTR {
          transform_output<M, height(), stream()>(job, product, p.width, s, place(s), row_floats);
        });
      });
    };
    if (!g.blocked_output) {
      WaitingRows waiting(job, rows, output, block);
      strips(
          std::false_type(), [&](const Strip& s) HWY_ATTR { return waiting.place<M>(s); }, job.unpacked_row_floats);
      waiting.unpack();
      continue;
    }
    const auto in_output = [&](const Strip& s) HWY_ATTR {
      const Index y0 = s.tile_y * M, x0 = s.tile_x * M;
      return output + (((s.image * g.k_blocks + block) * g.out_h + y0) * g.out_w + x0) * channel_block;
    };
    if (job.stream_output) {
      strips(std::true_type(), in_output, g.out_w * channel_block);
    } else {
      strips(std::false_type(), in_output, g.out_w * channel_block);
    }
  }
}

/// The first tile of a thread's share: tiles at the edges count by the multiplications that they take.
inline Index share_of_tiles(const Geometry& g, const Tiling& t, Index thread, Index threads) {
  const Index width = transform_length(g.out_w, t.m), image = transform_length(g.out_h, t.m) * width;
  const Index target = share(g.n * image, thread, threads), in_image = target % image;
  const Index row = std::min(in_image / (t.a * width), t.tiles_y - 1);
  const Index height = row == t.tiles_y - 1 ? t.last_h + 2 : t.a;
  const Index column = std::min((in_image - row * t.a * width) / (height * t.a), t.tiles_x - 1);
  return (target / image * t.tiles_y + row) * t.tiles_x + column;
}

template <class F>
void run_winograd(const Job& job, const Arrays& arrays, int thread, int threads) {
  constexpr int M = static_cast<int>(2 * F::points.size());
  constexpr Index positions = Index{M + 2} * (M + 2);
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Index panel_count = panels(g);
  const bool all_panels = t.sharing == Sharing::tiles, together = t.sharing == Sharing::blocks;
  const Index first = all_panels ? share_of_tiles(g, t, thread, threads) : 0;
  const Index last = all_panels ? share_of_tiles(g, t, thread + 1, threads) : t.tiles;
  const Index blocks = ceil_div(last - first, t.block_tiles);
  float* const own = arrays.scratch + job.scratch_floats_shared + thread * job.scratch_floats_per_thread;
  // Panels are cut by tiles too where they do not come out even.
  const Index cuts = all_panels ? 1 : threads / std::gcd(panel_count, Index{threads}), items = panel_count * cuts;
  const Index first_item = all_panels ? 0 : share(items, thread, threads);
  const Index last_item = all_panels ? items : share(items, thread + 1, threads);
  float* const v = together ? arrays.scratch : own;
  float* const m = together ? own : own + positions * t.v_stride;
  float* const u = m + positions * t.m_stride;
  float* const rows = u + positions * t.u_stride;
  for (Index i = 0; i < blocks; ++i) {
    const Index begin = first + share(last - first, i, blocks), end = first + share(last - first, i + 1, blocks);
    const TileBlock b(t, begin, end, v);
    const bool stopped = arrays.stopped();  // then all barriers are met, with nothing between them
    if (together) {
      if (i > 0) {
#pragma omp barrier
      }
      if (!stopped) {
        input_stage<M>(job, arrays.image, b, share(g.c_blocks, thread, threads), share(g.c_blocks, thread + 1, threads),
                       rows);
      }
#pragma omp barrier
    } else if (!stopped) {
      input_stage<M>(job, arrays.image, b, 0, g.c_blocks, rows);
    }
    for (Index item = first_item, next = 0; item < last_item; item = next) {
      if (stopped) break;
      const Index panel = item / cuts, cut = item % cuts;
      next = std::min(last_item, (panel + 1) * cuts);  // neighbouring cuts of a panel are one piece
      const Piece piece{{share(b.count, cut, cuts), share(b.count, cut + next - item, cuts)}, panel, m};
      if (piece.slots.begin == piece.slots.end) continue;
      if (t.fused_filter) {
        fused_product_stage<F>(job, arrays.filter, b, piece, u);
      } else {
        const float* const transformed = arrays.filter + panel_offset(g, positions, piece.panel);
        product_stage(job, {transformed, spread_stride(g.c * panel_of(g, piece.panel).width), 0, g.c_blocks}, b, piece);
      }
      output_stage<M>(job, arrays.output, b, piece, rows);
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
