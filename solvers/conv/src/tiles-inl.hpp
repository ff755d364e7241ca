// Input and output transforms of rows of tiles: image -> transformed input V, and product M -> output.

#if defined(ROOFTOP_CONV_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_TILES_INL
#undef ROOFTOP_CONV_TILES_INL
#else
#define ROOFTOP_CONV_TILES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "pack-inl.hpp"
#include "tile_block.hpp"
#include "transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

constexpr Index strip_columns(int m) { return strip_tiles(m) * m + 2; }

/// Calls body(std::integral_constant<int, size>) for a size that tiles of F(M) have: M, or an even one below it.
template <int M, class Body>
HWY_INLINE void with_tile_size(int size, const Body& body) {
  if (size == M) return body(std::integral_constant<int, M>());
  if constexpr (M == 6) {
    if (size == 4) return body(std::integral_constant<int, 4>());
  }
  if constexpr (M > 2) body(std::integral_constant<int, 2>());
}

/// V of one tile from the columns of its strip, whose V + 2 rows are transformed: v is its slot at position 0.
template <int M, int V, int H>
HWY_INLINE void transform_columns(const float* HWY_RESTRICT columns, float* HWY_RESTRICT v, Index v_stride) {
  const Tag d;
  HWY_UNROLL(1)
  for (int i = 0; i < V + 2; ++i) {
    const float* HWY_RESTRICT from = columns + i * strip_columns(M) * channel_block;
    float* HWY_RESTRICT to = v + row_of<M, V>(i) * (M + 2) * v_stride;
    HWY_UNROLL(4)
    for (Index l = 0; l < channel_block; l += lanes) {
      Vector in[H + 2], out[H + 2];
      HWY_UNROLL(8)
      for (int j = 0; j < H + 2; ++j) in[j] = hn::Load(d, from + j * channel_block + l);
      tile_input_1d<M, H>(in, out);
      HWY_UNROLL(8)
      for (int j = 0; j < H + 2; ++j) hn::Store(out[j], d, to + row_of<M, H>(j) * v_stride + l);
    }
  }
}

/// One block of channels of rows of an image, pixel (y, x) at pixels[(y - y0) * row_floats + (x - x0) * channel_block].
struct PixelRows {
  const float* pixels;
  Index row_floats, y0, x0;
};

/// Copies what `tiles` tiles from the first of a strip on read of an NCHW image to packed[row][column][16]. A whole row
/// at a time: planes are then read in runs that the hardware follows.
template <int M>
HWY_INLINE PixelRows pack_rows_of_tiles(const Job& job, const float* HWY_RESTRICT image, const Strip& s, Index tiles,
                                        Index block, float* HWY_RESTRICT packed) {
  const Geometry& g = job.geometry;
  const Index y0 = s.tile_y * M - g.padding, x0 = s.tile_x * M - g.padding;
  const Index begin = std::max<Index>(0, x0), end = std::min(x0 + tiles * M + 2, g.w);
  const Index row_floats = job.packed_row_floats, channels = std::min(channel_block, g.c - block * channel_block);
  const float* const plane = image + (s.image * g.c + block * channel_block) * g.h * g.w;
  for (Index y = std::max<Index>(0, y0); y < std::min(y0 + M + 2, g.h); ++y) {
    pack_row(plane + y * g.w + begin, g.h * g.w, channels, end - begin, packed + (y - y0) * row_floats);
  }
  return {packed, row_floats, y0, begin};
}

/// V for one strip, whose tiles have V rows of outputs, and one block of channels. v: slot 0 at position 0.
template <int M, int V>
HWY_INLINE void transform_input(const Job& job, const PixelRows& rows, const Strip& s, float* HWY_RESTRICT v) {
  constexpr int A = V + 2;
  constexpr Index most = strip_columns(M);
  const Geometry& g = job.geometry;
  const Tag d;
  HWY_ALIGN float columns[A * most * channel_block];
  HWY_ALIGN static constexpr float zeros[channel_block] = {};

  const Index y0 = s.tile_y * M - g.padding, x0 = s.tile_x * M - g.padding, width = s.columns(job.tiling) + 2;
  const Index begin = std::max<Index>(0, -x0), end = std::max(begin, std::min(width, g.w - x0));
  const float* row[A];
  Index step[A];
  for (int i = 0; i < A; ++i) {
    const Index y = y0 + i;
    const bool inside = y >= 0 && y < g.h;
    step[i] = inside ? channel_block : 0;
    row[i] = inside ? rows.pixels + (y - rows.y0) * rows.row_floats + (x0 + begin - rows.x0) * channel_block : zeros;
  }
  const auto clear = [&](Index from, Index to) HWY_ATTR {
    for (int i = 0; i < A; ++i) {
      std::fill(columns + (i * most + from) * channel_block, columns + (i * most + to) * channel_block, 0.0F);
    }
  };
  clear(0, begin);
  clear(end, width);
  // The next strip's columns: of a large image they are in no cache, and six rows of each block are too many streams
  // for the hardware to follow. What was packed is in the L1 cache already.
  constexpr Index ahead = most * channel_block;
  for (Index x = begin; x < end; ++x) {
    if (g.blocked_input) {
      HWY_UNROLL(8)
      for (int i = 0; i < A; ++i) hwy::Prefetch(row[i] + (x - begin) * step[i] + ahead);
    }
    HWY_UNROLL(4)
    for (Index l = 0; l < channel_block; l += lanes) {
      Vector in[A], out[A];
      HWY_UNROLL(8)
      for (int i = 0; i < A; ++i) in[i] = hn::LoadU(d, row[i] + (x - begin) * step[i] + l);
      tile_input_1d<M, V>(in, out);
      HWY_UNROLL(8)
      for (int i = 0; i < A; ++i) hn::Store(out[i], d, columns + (i * most + x) * channel_block + l);
    }
  }
  const Index v_stride = job.tiling.v_stride;
  for (Index t = 0; t < s.count; ++t) {
    transform_columns<M, V, M>(columns + t * M * channel_block, v + (s.slot + t) * channel_block, v_stride);
  }
  if (s.edge_slot < 0) return;
  with_tile_size<M>(job.tiling.last_w, [&](auto last_w) HWY_ATTR {
    transform_columns<M, V, last_w()>(columns + s.count * M * channel_block, v + s.edge_slot * channel_block, v_stride);
  });
}

/// The outputs of one tile of V x H, of which `height` x `width` are kept, at to[y * row_floats + x * channel_block].
template <int M, int V, int H, bool kStream>
HWY_INLINE void transform_product(const float* HWY_RESTRICT product, Index m_stride, Index height, Index width,
                                  float* to, Index row_floats) {
  const Tag d;
  HWY_ALIGN float rows[V * (H + 2) * channel_block];
  HWY_UNROLL(1)
  for (int j = 0; j < H + 2; ++j) {
    HWY_UNROLL(4)
    for (Index l = 0; l < channel_block; l += lanes) {
      Vector in[V + 2], out[V];
      HWY_UNROLL(8)
      for (int i = 0; i < V + 2; ++i) {
        in[i] = hn::Load(d, product + (row_of<M, V>(i) * (M + 2) + row_of<M, H>(j)) * m_stride + l);
      }
      tile_output_1d<M, V>(in, out);
      HWY_UNROLL(8)
      for (int i = 0; i < V; ++i) hn::Store(out[i], d, rows + (i * (H + 2) + j) * channel_block + l);
    }
  }
  for (Index i = 0; i < height; ++i) {
    HWY_UNROLL(4)
    for (Index l = 0; l < channel_block; l += lanes) {
      Vector in[H + 2], out[H];
      HWY_UNROLL(8)
      for (int j = 0; j < H + 2; ++j) in[j] = hn::Load(d, rows + (i * (H + 2) + j) * channel_block + l);
      tile_output_1d<M, H>(in, out);
      float* const pixel = to + i * row_floats + l;
      if (width == H) {
        HWY_UNROLL(8)
        for (int j = 0; j < H; ++j) {
          if (kStream) {
            hn::Stream(out[j], d, pixel + j * channel_block);
          } else {
            hn::Store(out[j], d, pixel + j * channel_block);
          }
        }
      } else {
        HWY_UNROLL(8)
        for (int j = 0; j < H; ++j) {
          if (j < width) hn::Store(out[j], d, pixel + j * channel_block);
        }
      }
    }
  }
}

/// Output of one strip, whose tiles have V rows of outputs, and one block of filters. product: slot 0 at position 0,
/// slots slot_stride apart. to: the strip's first pixel.
template <int M, int V, bool kStream>
HWY_INLINE void transform_output(const Job& job, const float* HWY_RESTRICT product, Index slot_stride, const Strip& s,
                                 float* to, Index row_floats) {
  const Geometry& g = job.geometry;
  const Tiling& tiling = job.tiling;
  const Index height = std::min<Index>(V, g.out_h - s.tile_y * M);
  const Index width = std::min(s.columns(tiling), g.out_w - s.tile_x * M);
  const auto tile = [&](auto tile_width, Index slot, Index t) HWY_ATTR {
    constexpr int H = tile_width();
    transform_product<M, V, H, kStream>(product + slot * slot_stride, tiling.m_stride, height,
                                        std::min<Index>(H, width - t * M), to + t * M * channel_block, row_floats);
  };
  for (Index t = 0; t < s.count; ++t) tile(std::integral_constant<int, M>(), s.slot + t, t);
  if (s.edge_slot < 0) return;
  with_tile_size<M>(tiling.last_w, [&](auto last_w) HWY_ATTR { tile(last_w, s.edge_slot, s.count); });
}

/// Neighbouring strips of one row of tiles, waiting in rows of pixels of 16 channels to be unpacked to NCHW together:
/// the longer the runs of each plane, the more of its lines are whole.
class WaitingRows {
 public:
  WaitingRows(const Job& job, float* rows, float* output, Index block)
      : job_(job), rows_(rows), output_(output), block_(block) {}

  /// Where the strip's first pixel goes, after what cannot wait with it has been unpacked.
  template <int M>
  HWY_INLINE float* place(const Strip& s) {
    const Geometry& g = job_.geometry;
    const Index x0 = s.tile_x * M;
    if (s.image != image_ || s.tile_y * M != y0_ || x0 != x0_ + width_) {
      unpack();
      image_ = s.image;
      y0_ = s.tile_y * M;
      x0_ = x0;
    }
    height_ = std::min<Index>(s.height(job_.tiling), g.out_h - y0_);
    float* const to = rows_ + width_ * channel_block;
    width_ += std::min(s.columns(job_.tiling), g.out_w - x0);
    return to;
  }

  HWY_INLINE void unpack() {
    if (job_.stream_output) {
      unpack_rows<true>();
    } else {
      unpack_rows<false>();
    }
    width_ = 0;
  }

 private:
  template <bool kStream>
  HWY_INLINE void unpack_rows() {
    if (width_ == 0) return;
    const Geometry& g = job_.geometry;
    const Index filters = std::min(channel_block, g.k - block_ * channel_block), plane = g.out_h * g.out_w;
    float* const to = output_ + (image_ * g.k + block_ * channel_block) * plane + y0_ * g.out_w + x0_;
    // Whole rows follow each other in the plane as they do here.
    const bool whole = width_ == g.out_w && job_.unpacked_row_floats == g.out_w * channel_block;
    const Index runs = whole ? 1 : height_, pixels = whole ? height_ * width_ : width_;
    for (Index i = 0; i < runs; ++i) {
      unpack_row<kStream>(rows_ + i * job_.unpacked_row_floats, filters, pixels, to + i * g.out_w, plane);
    }
  }

  const Job& job_;
  float* rows_;
  float* output_;
  Index block_;
  Index image_ = -1, y0_ = 0, x0_ = 0, height_ = 0, width_ = 0;
};

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
