// The direct convolution: nine shifted products over rows of pixels.

#if defined(ROOFTOP_CONV_DIRECT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_DIRECT_INL
#undef ROOFTOP_CONV_DIRECT_INL
#else
#define ROOFTOP_CONV_DIRECT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "filter-inl.hpp"
#include "pack-inl.hpp"
#include "product-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

/// Blocks of channels summed in registers, all nine taps of each, before the sum is added to the output: short sums
/// round less, and their part of a panel fits the L2 cache beside the packed rows.
inline constexpr Index direct_blocks = 4;

/// Copies rows [y0, y0 + rows) of one image, in padded coordinates, to packed[channel block][row][padded_w][pixel].
/// Behind the last row, up to a block of floats may be written more.
HWY_INLINE void pack_rows(const Geometry& g, const float* HWY_RESTRICT image, Index n, Index y0, Index rows,
                          Index pixel_floats, float* HWY_RESTRICT packed) {
  const Index row_floats = (g.w + 2 * g.padding) * pixel_floats;
  for (Index block = 0; block < g.c_blocks; ++block) {
    const Index channels = std::min(channel_block, g.c - block * channel_block);
    for (Index i = 0; i < rows; ++i, packed += row_floats) {
      const Index y = y0 + i - g.padding;
      if (y < 0 || y >= g.h) {
        std::fill(packed, packed + row_floats, 0.0F);
        continue;
      }
      float* const inside = packed + g.padding * pixel_floats;
      const float* const from = image + (g.blocked_input ? ((n * g.c_blocks + block) * g.h + y) * g.w * channel_block
                                                         : ((n * g.c + block * channel_block) * g.h + y) * g.w);
      if (pixel_floats < channel_block) {
        if (g.blocked_input) {
          narrow_row(from, pixel_floats, g.w, inside);
        } else {
          pack_row_close(from, g.h * g.w, pixel_floats, g.w, inside);
        }
      } else if (g.blocked_input) {
        std::copy(from, from + g.w * channel_block, inside);
      } else {
        pack_row(from, g.h * g.w, channels, g.w, inside);
      }
      std::fill(packed, inside, 0.0F);
      std::fill(inside + g.w * pixel_floats, packed + row_floats, 0.0F);
    }
  }
}

inline void run_direct(const Job& job, const Arrays& arrays, int thread, int threads) {
  const Geometry& g = job.geometry;
  const Index padded_w = g.w + 2 * g.padding, panel_count = panels(g);
  const Index row_blocks = g.n * job.row_blocks.blocks_y, items = row_blocks * panel_count;
  float* const packed = arrays.scratch + thread * job.scratch_floats_per_thread;
  const Index packed_rows = job.row_blocks.rows + 2;
  const Index pixel_floats = job.row_blocks.pixel_floats, row_floats = padded_w * pixel_floats;
  // Where pixels lie closer than a block, the three taps of a row are one slice of neighbouring floats.
  const bool overlap = pixel_floats < channel_block;
  const Index slices = overlap ? 3 : 9, slice_taps = 9 / slices;
  float* const line = packed + g.c_blocks * packed_rows * row_floats;
  Index packed_block = -1;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    if (arrays.stopped()) return;
    const bool by_panel = job.row_blocks.by_panel;
    const Index row_block = by_panel ? item % row_blocks : item / panel_count;
    const Index panel = by_panel ? item / row_blocks : item % panel_count;
    const Index n = row_block / job.row_blocks.blocks_y;
    const Index y0 = row_block % job.row_blocks.blocks_y * job.row_blocks.rows;
    const Index rows = std::min(job.row_blocks.rows, g.out_h - y0);
    if (row_block != packed_block) pack_rows(g, arrays.image, n, y0, rows + 2, pixel_floats, packed);
    packed_block = row_block;
    const Panel p = panel_of(g, panel);
    for (Index block = 0; block < g.c_blocks; block += direct_blocks) {
      const Index blocks = std::min(direct_blocks, g.c_blocks - block);
      const Index full = std::min(blocks, (g.c - block * channel_block) / channel_block);
      Index offsets[direct_blocks * 9];
      for (Index i = 0; i < blocks * slices; ++i) {
        const Index tap = i % slices * slice_taps;
        offsets[i] = i / slices * (rows + 2) * row_floats + tap / 3 * row_floats + tap % 3 * pixel_floats;
      }
      const bool last = block + blocks == g.c_blocks;
      for (Index y = 0; y < rows; ++y) {
        const Index first_block = p.first / channel_block;
        float* const blocked_out =
            arrays.output + (((n * g.k_blocks + first_block) * g.out_h + y0 + y) * g.out_w) * channel_block;
        float* const line_out = line + y * g.out_w * panel_floats;
        const Product product{
            .rows = packed + block * (rows + 2) * row_floats + y * row_floats,
            .row_stride = pixel_floats,
            .offsets = offsets,
            .panel = arrays.filter + p.first * 9 * g.c + block * channel_block * 9 * p.width,
            .panel_stride = p.width,
            .out = g.blocked_output ? blocked_out : line_out,
            .out_row_stride = channel_block,
            .out_block_stride = (g.blocked_output ? g.out_h : 1) * g.out_w * channel_block,
            .slices = static_cast<int>(blocks * slices),
            .full_slices = static_cast<int>(full * slices),
            .tail_channels = static_cast<int>(g.c % channel_block * slice_taps),
            .accumulate = block > 0,
            .stream = g.blocked_output && job.stream_output && g.c_blocks <= direct_blocks,
            .next = arrays.filter,
            .next_floats = 0,
            .next_step = 0,
        };
        if (overlap) {
          multiply_add_block<true>(product, g.out_w, p.width);
        } else {
          multiply_add_block(product, g.out_w, p.width, 2);
        }
        if (!last || g.blocked_output) continue;
        for (Index k = 0; k < p.width && p.first + k < g.k; k += channel_block) {
          const Index filters = std::min(channel_block, g.k - p.first - k);
          const float* const from = line_out + k * g.out_w;
          float* const planes = arrays.output + ((n * g.k + p.first + k) * g.out_h + y0 + y) * g.out_w;
          if (job.stream_output) {
            unpack_row<true>(from, filters, g.out_w, planes, g.out_h * g.out_w);
          } else {
            unpack_row(from, filters, g.out_w, planes, g.out_h * g.out_w);
          }
        }
      }
    }
  }
}

/// u[panel][channel block][tap][channel in block][filter in panel]
inline void transform_filter_direct(const Job& job, const float* HWY_RESTRICT filter, float* HWY_RESTRICT transformed,
                                    int thread, int threads) {
  const Geometry& g = job.geometry;
  const Index items = g.k_blocks * g.c;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index block = item / g.c, c = item % g.c, c_block = c / channel_block;
    const Panel p = panel_of(g, block * channel_block / panel_floats);
    const Index filters = std::min(channel_block, g.k - block * channel_block);
    const Index channels = std::min(channel_block, g.c - c_block * channel_block);
    float* const to = transformed + (p.first * g.c + c_block * channel_block * p.width) * 9 +
                      (c % channel_block) * p.width + (block * channel_block - p.first);
    for (Index i = 0; i < channel_block; ++i) {
      const float* const from = filter + ((block * channel_block + i) * g.c + c) * 9;
      for (Index tap = 0; tap < 9; ++tap) to[tap * channels * p.width + i] = i < filters ? from[tap] : 0.0F;
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
