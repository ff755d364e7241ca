// Input and output transforms of rows of tiles: image -> transformed input V, and product M -> output.

#if defined(ROOFTOP_CONV_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_TILES_INL
#undef ROOFTOP_CONV_TILES_INL
#else
#define ROOFTOP_CONV_TILES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "geometry.hpp"
#include "pack-inl.hpp"
#include "transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

/// Tiles that go through a transform together, so that neighbours share the columns in which they overlap: pixels,
/// intermediate columns and the lines of V and M that a strip touches all stay in the L1 cache.
constexpr Index strip_tiles(int m) { return 16 / m; }
constexpr Index strip_columns(int m) { return strip_tiles(m) * m + 2; }

/// A horizontal run of tiles of one image.
struct Strip {
  Index image, tile_y, tile_x, count;
};

/// Calls visit(strip, index of its first tile in the block) for the tiles [begin, end), cut at image rows and at every
/// strip_tiles of a row.
template <class Visit>
HWY_INLINE void for_each_strip(const Tiling& t, Index begin, Index end, const Visit& visit) {
  for (Index tile = begin; tile < end;) {
    const Index row = tile / t.tiles_x, x = tile % t.tiles_x;
    const Index count = std::min({strip_tiles(t.m) - x % strip_tiles(t.m), t.tiles_x - x, end - tile});
    visit(Strip{row / t.tiles_y, row % t.tiles_y, x, count}, tile - begin);
    tile += count;
  }
}

/// V for one strip and one block of channels. v: position 0 of the strip's first tile.
template <int M>
HWY_INLINE void transform_input(const Geometry& g, const float* HWY_RESTRICT image, const Strip& s, Index block,
                                float* HWY_RESTRICT v, Index v_stride) {
  constexpr int A = M + 2;
  constexpr Index most = strip_columns(M);
  const Tag d;
  HWY_ALIGN float packed[A * most * channel_block];
  HWY_ALIGN float columns[A * most * channel_block];
  HWY_ALIGN static constexpr float zeros[channel_block] = {};

  const Index y0 = s.tile_y * M - g.padding, x0 = s.tile_x * M - g.padding, width = s.count * M + 2;
  const Index begin = std::max<Index>(0, -x0), end = std::max(begin, std::min(width, g.w - x0));
  const float* row[A];
  Index step[A];
  for (int i = 0; i < A; ++i) {
    const Index y = y0 + i;
    const bool inside = y >= 0 && y < g.h;
    step[i] = inside ? channel_block : 0;
    if (!inside) {
      row[i] = zeros;
    } else if (g.blocked_input) {
      row[i] = image + (((s.image * g.c_blocks + block) * g.h + y) * g.w + x0 + begin) * channel_block;
    } else {
      float* const to = packed + i * most * channel_block;
      const Index channels = std::min(channel_block, g.c - block * channel_block);
      pack_row(image + ((s.image * g.c + block * channel_block) * g.h + y) * g.w + x0 + begin, g.h * g.w, channels,
               end - begin, to);
      row[i] = to;
    }
  }
  const auto clear = [&](Index from, Index to) HWY_ATTR {
    for (int i = 0; i < A; ++i) {
      std::fill(columns + (i * most + from) * channel_block, columns + (i * most + to) * channel_block, 0.0F);
    }
  };
  clear(0, begin);
  clear(end, width);
  for (Index x = begin; x < end; ++x) {
    HWY_UNROLL(4)
    for (Index l = 0; l < channel_block; l += lanes) {
      Vector in[A], out[A];
      HWY_UNROLL(8)
      for (int i = 0; i < A; ++i) in[i] = hn::LoadU(d, row[i] + (x - begin) * step[i] + l);
      input_1d(in, out);
      HWY_UNROLL(8)
      for (int i = 0; i < A; ++i) hn::Store(out[i], d, columns + (i * most + x) * channel_block + l);
    }
  }
  for (Index t = 0; t < s.count; ++t, v += channel_block) {
    float* HWY_RESTRICT to = v;
    HWY_UNROLL(1)
    for (int i = 0; i < A; ++i, to += A * v_stride) {
      const float* HWY_RESTRICT from = columns + (i * most + t * M) * channel_block;
      HWY_UNROLL(4)
      for (Index l = 0; l < channel_block; l += lanes) {
        Vector in[A], out[A];
        HWY_UNROLL(8)
        for (int j = 0; j < A; ++j) in[j] = hn::Load(d, from + j * channel_block + l);
        input_1d(in, out);
        HWY_UNROLL(8)
        for (int j = 0; j < A; ++j) hn::Store(out[j], d, to + j * v_stride + l);
      }
    }
  }
}

/// Output of one strip and one block of filters. product: position 0 of the strip's first tile, tiles tile_stride
/// apart.
template <int M, bool kStream>
HWY_INLINE void transform_output(const Geometry& g, const float* HWY_RESTRICT product, Index m_stride,
                                 Index tile_stride, const Strip& s, Index block, float* HWY_RESTRICT output) {
  constexpr int A = M + 2;
  constexpr Index most = strip_tiles(M) * M;
  const Tag d;
  HWY_ALIGN float rows[M * A * channel_block];
  HWY_ALIGN float pixels[M * most * channel_block];
  const Index y0 = s.tile_y * M, x0 = s.tile_x * M;
  const Index height = std::min<Index>(M, g.out_h - y0), width = std::min(s.count * M, g.out_w - x0);
  const Index row_floats = g.blocked_output ? g.out_w * channel_block : most * channel_block;
  float* const base = g.blocked_output
                          ? output + (((s.image * g.k_blocks + block) * g.out_h + y0) * g.out_w + x0) * channel_block
                          : pixels;
  for (Index t = 0; t < s.count; ++t, product += tile_stride) {
    HWY_UNROLL(1)
    for (int j = 0; j < A; ++j) {
      HWY_UNROLL(4)
      for (Index l = 0; l < channel_block; l += lanes) {
        Vector in[A], out[M];
        HWY_UNROLL(8)
        for (int i = 0; i < A; ++i) in[i] = hn::Load(d, product + (i * A + j) * m_stride + l);
        output_1d(in, out);
        HWY_UNROLL(8)
        for (int i = 0; i < M; ++i) hn::Store(out[i], d, rows + (i * A + j) * channel_block + l);
      }
    }
    const Index columns = std::min<Index>(M, width - t * M);
    float* const to = base + t * M * channel_block;
    for (Index i = 0; i < height; ++i) {
      HWY_UNROLL(4)
      for (Index l = 0; l < channel_block; l += lanes) {
        Vector in[A], out[M];
        HWY_UNROLL(8)
        for (int j = 0; j < A; ++j) in[j] = hn::Load(d, rows + (i * A + j) * channel_block + l);
        output_1d(in, out);
        if (columns == M) {
          HWY_UNROLL(8)
          for (int j = 0; j < M; ++j) {
            float* const pixel = to + i * row_floats + j * channel_block + l;
            if (kStream && g.blocked_output) {
              hn::Stream(out[j], d, pixel);
            } else {
              hn::Store(out[j], d, pixel);
            }
          }
        } else {
          HWY_UNROLL(8)
          for (int j = 0; j < M; ++j) {
            if (j < columns) hn::Store(out[j], d, to + i * row_floats + j * channel_block + l);
          }
        }
      }
    }
  }
  if (g.blocked_output) return;
  const Index filters = std::min(channel_block, g.k - block * channel_block);
  for (Index i = 0; i < height; ++i) {
    unpack_row<kStream>(pixels + i * row_floats, filters, width,
                        output + ((s.image * g.k + block * channel_block) * g.out_h + y0 + i) * g.out_w + x0,
                        g.out_h * g.out_w);
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
