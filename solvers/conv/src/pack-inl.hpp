// Transposition between rows of pixels (NCHW) and pixels of channel blocks.

#if defined(ROOFTOP_CONV_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_PACK_INL
#undef ROOFTOP_CONV_PACK_INL
#else
#define ROOFTOP_CONV_PACK_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "geometry.hpp"
#include "transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// Four neighbouring pixels of every fourth plane, a 128-bit block each: planes first, first + 4, ...
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const float* HWY_RESTRICT planes, Index plane_stride) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::LoadU(d, planes);
  } else {
    constexpr Index half_lanes = hn::MaxLanes(D()) / 2;
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, planes + half_lanes * plane_stride, plane_stride),
                       load_blocks(half, planes, plane_stride));
  }
}

/// The reverse of load_blocks.
template <class D>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, float* HWY_RESTRICT planes, Index plane_stride) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    hn::StoreU(v, d, planes);
  } else {
    constexpr Index half_lanes = hn::MaxLanes(D()) / 2;
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), planes, plane_stride);
    store_blocks(half, hn::UpperHalf(half, v), planes + half_lanes * plane_stride, plane_stride);
  }
}

/// Transposes the 4 x 4 floats that the same block of four vectors holds, in every block: its own inverse.
template <class D>
HWY_INLINE void transpose_blocks(D d, hn::Vec<D> (&v)[4]) {
  const auto low02 = hn::InterleaveLower(d, v[0], v[2]), low13 = hn::InterleaveLower(d, v[1], v[3]);
  const auto high02 = hn::InterleaveUpper(d, v[0], v[2]), high13 = hn::InterleaveUpper(d, v[1], v[3]);
  v[0] = hn::InterleaveLower(d, low02, low13);
  v[1] = hn::InterleaveUpper(d, low02, low13);
  v[2] = hn::InterleaveLower(d, high02, high13);
  v[3] = hn::InterleaveUpper(d, high02, high13);
}
#else
/// A vector of one lane is its own transpose.
template <class D>
HWY_INLINE void transpose_blocks(D, hn::Vec<D> (&)[4]) {}
#endif

/// close[x * channels + i] = planes[i * plane_stride + x]
HWY_INLINE void pack_row_close(const float* HWY_RESTRICT planes, Index plane_stride, Index channels, Index pixels,
                               float* HWY_RESTRICT close) {
  Index x = 0;
  if (channels == 3) {  // colours
    const Tag d;
    for (; x + lanes <= pixels; x += lanes) {
      hn::StoreInterleaved3(hn::LoadU(d, planes + x), hn::LoadU(d, planes + plane_stride + x),
                            hn::LoadU(d, planes + 2 * plane_stride + x), d, close + x * 3);
    }
  }
  for (; x < pixels; ++x) {
    for (Index i = 0; i < channels; ++i) close[x * channels + i] = planes[i * plane_stride + x];
  }
}

/// close[x * channels + i] = blocked[x * channel_block + i]. Writes up to lanes - 1 floats more behind.
HWY_INLINE void narrow_row(const float* HWY_RESTRICT blocked, Index channels, Index pixels, float* HWY_RESTRICT close) {
  for (Index x = 0; x < pixels; ++x, blocked += channel_block, close += channels) {
    // Whole vectors, of which the next pixel writes over what is too much.
    for (Index i = 0; i < channels; i += lanes) hn::StoreU(hn::LoadU(Tag(), blocked + i), Tag(), close + i);
  }
}

/// blocked[x * channel_block + i] = planes[i * plane_stride + x] for i < channels, and zero for the rest of the block.
HWY_INLINE void pack_row(const float* HWY_RESTRICT planes, Index plane_stride, Index channels, Index pixels,
                         float* HWY_RESTRICT blocked) {
  Index x = 0;
#if HWY_TARGET != HWY_SCALAR
  const Tag d;
  // The last step goes back to where four pixels are left, rather than one pixel at a time.
  for (; channels == channel_block && pixels >= 4 && x < pixels; x += 4) {
    x = std::min(x, pixels - 4);
    HWY_UNROLL(4)
    for (Index i = 0; i < channel_block; i += lanes) {
      Vector v[4];
      HWY_UNROLL(4)
      for (Index j = 0; j < 4; ++j) v[j] = load_blocks(d, planes + (i + j) * plane_stride + x, plane_stride);
      transpose_blocks(d, v);
      HWY_UNROLL(4)
      for (Index j = 0; j < 4; ++j) hn::StoreU(v[j], d, blocked + (x + j) * channel_block + i);
    }
  }
#endif
  for (; x < pixels; ++x) {
    for (Index i = 0; i < channels; ++i) blocked[x * channel_block + i] = planes[i * plane_stride + x];
    for (Index i = channels; i < channel_block; ++i) blocked[x * channel_block + i] = 0;
  }
}

#if HWY_TARGET != HWY_SCALAR
/// Writes as many pixels of four planes as fill whole vectors, from pixel x on. Vectors that are whole lines go past
/// the caches if kStream. Returns the first pixel left.
template <bool kStream, class D>
HWY_INLINE Index unpack_vectors(D d, const float* HWY_RESTRICT blocked, Index x, Index pixels,
                                float* HWY_RESTRICT planes, Index plane_stride) {
  constexpr Index width = hn::MaxLanes(D());
  for (; x + width <= pixels || (width == 4 && pixels >= 4 && x < pixels); x += width) {
    x = std::min(x, pixels - width);
    hn::Vec<D> v[4];
    HWY_UNROLL(4)
    for (Index j = 0; j < 4; ++j) v[j] = load_blocks(d, blocked + (x + j) * channel_block, channel_block);
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (Index j = 0; j < 4; ++j) {
      float* const to = planes + j * plane_stride + x;
      if (kStream && width == line_floats) {
        hn::Stream(v[j], d, to);
      } else {
        hn::StoreU(v[j], d, to);
      }
    }
  }
  if constexpr (width > 4) {
    return unpack_vectors<false>(hn::Half<D>(), blocked, x, pixels, planes, plane_stride);
  } else {
    return x;
  }
}
#endif

/// planes[i * plane_stride + x] = blocked[x * channel_block + i] for i < channels. Four planes at a time: they often
/// lie a multiple of 4 KiB apart, where more would evict each other from the L1 cache. Whole lines go past the caches
/// if kStream; planes must then be a whole number of lines apart.
template <bool kStream = false>
HWY_INLINE void unpack_row(const float* HWY_RESTRICT blocked, Index channels, Index pixels, float* HWY_RESTRICT planes,
                           Index plane_stride) {
  Index i = 0;
#if HWY_TARGET != HWY_SCALAR
  // Pixels in front of the first whole line.
  const auto address = reinterpret_cast<std::uintptr_t>(planes);
  const bool in_lines = kStream && address % sizeof(float) == 0;
  const Index past_line = static_cast<Index>(address / sizeof(float)) % line_floats;
  const Index head = in_lines ? std::min((line_floats - past_line) % line_floats, pixels) : 0;
  for (; i + 4 <= channels; i += 4) {
    const float* HWY_RESTRICT from = blocked + i;
    float* HWY_RESTRICT to = planes + i * plane_stride;
    Index x = 0;
    if (head > 0) x = unpack_vectors<false>(hn::CappedTag<float, 8>(), from, 0, head, to, plane_stride);
    for (; x < head; ++x) {
      for (Index j = 0; j < 4; ++j) to[j * plane_stride + x] = from[x * channel_block + j];
    }
    if (in_lines) {
      x = unpack_vectors<true>(Tag(), from, x, pixels, to, plane_stride);
    } else {
      x = unpack_vectors<false>(Tag(), from, x, pixels, to, plane_stride);
    }
    for (; x < pixels; ++x) {
      for (Index j = 0; j < 4; ++j) to[j * plane_stride + x] = from[x * channel_block + j];
    }
  }
#endif
  for (; i < channels; ++i) {
    for (Index x = 0; x < pixels; ++x) planes[i * plane_stride + x] = blocked[x * channel_block + i];
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
