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
#endif

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
/// Writes as many pixels of `channels` planes, a multiple of four, as fill whole vectors, from pixel x on, four planes
/// at a time: planes often lie a multiple of 4 KiB apart, where more would evict each other from the L1 cache. Whole
/// lines go past the caches if kStream. Returns the first pixel left.
template <bool kStream, class D>
HWY_INLINE Index unpack_vectors(D d, const float* HWY_RESTRICT blocked, Index channels, Index x, Index pixels,
                                float* HWY_RESTRICT planes, Index plane_stride) {
  constexpr Index width = hn::MaxLanes(D());
  constexpr std::uintptr_t line_bytes = 64;
  for (; x + width <= pixels || (width == 4 && pixels >= 4 && x < pixels); x += width) {
    x = std::min(x, pixels - width);
    for (Index i = 0; i < channels; i += 4) {
      hn::Vec<D> v[4];
      HWY_UNROLL(4)
      for (Index j = 0; j < 4; ++j) v[j] = load_blocks(d, blocked + (x + j) * channel_block + i, channel_block);
      transpose_blocks(d, v);
      HWY_UNROLL(4)
      for (Index j = 0; j < 4; ++j) {
        float* const to = planes + (i + j) * plane_stride + x;
        if (kStream && width * sizeof(float) == line_bytes && reinterpret_cast<std::uintptr_t>(to) % line_bytes == 0) {
          hn::Stream(v[j], d, to);
        } else {
          hn::StoreU(v[j], d, to);
        }
      }
    }
  }
  if constexpr (width > 4) {
    return unpack_vectors<kStream>(hn::Half<D>(), blocked, channels, x, pixels, planes, plane_stride);
  } else {
    return x;
  }
}
#endif

/// planes[i * plane_stride + x] = blocked[x * channel_block + i] for i < channels.
template <bool kStream = false>
HWY_INLINE void unpack_row(const float* HWY_RESTRICT blocked, Index channels, Index pixels, float* HWY_RESTRICT planes,
                           Index plane_stride) {
  Index full = 0, x = 0;
#if HWY_TARGET != HWY_SCALAR
  full = channels & ~Index{3};
  x = unpack_vectors<kStream>(Tag(), blocked, full, 0, pixels, planes, plane_stride);
#endif
  for (Index i = 0; i < channels; ++i) {
    for (Index rest = i < full ? x : 0; rest < pixels; ++rest) {
      planes[i * plane_stride + rest] = blocked[rest * channel_block + i];
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
