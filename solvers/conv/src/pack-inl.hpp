// Transposition between rows of pixels (NCHW) and pixels of channel blocks.

#if defined(ROOFTOP_CONV_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_PACK_INL
#undef ROOFTOP_CONV_PACK_INL
#else
#define ROOFTOP_CONV_PACK_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "geometry.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag4 = hn::CappedTag<float, 4>;

/// Transposes 4 x 4 floats; 128-bit shuffles run on two ports of current x86 cores, wider ones on one.
HWY_INLINE void transpose_4x4(const float* HWY_RESTRICT from, Index from_stride, float* HWY_RESTRICT to,
                              Index to_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
#else
  const Tag4 d;
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + from_stride);
  const auto r2 = hn::LoadU(d, from + 2 * from_stride), r3 = hn::LoadU(d, from + 3 * from_stride);
  const auto low02 = hn::InterleaveLower(d, r0, r2), low13 = hn::InterleaveLower(d, r1, r3);
  const auto high02 = hn::InterleaveUpper(d, r0, r2), high13 = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, low02, low13), d, to);
  hn::StoreU(hn::InterleaveUpper(d, low02, low13), d, to + to_stride);
  hn::StoreU(hn::InterleaveLower(d, high02, high13), d, to + 2 * to_stride);
  hn::StoreU(hn::InterleaveUpper(d, high02, high13), d, to + 3 * to_stride);
#endif
}

/// blocked[x * channel_block + i] = planes[i * plane_stride + x] for i < channels, and zero for the rest of the block.
HWY_INLINE void pack_row(const float* HWY_RESTRICT planes, Index plane_stride, Index channels, Index pixels,
                         float* HWY_RESTRICT blocked) {
  Index x = 0;
  if (channels == channel_block) {
    for (; x + 4 <= pixels; x += 4) {
      HWY_UNROLL(4)
      for (Index i = 0; i < channel_block; i += 4) {
        transpose_4x4(planes + i * plane_stride + x, plane_stride, blocked + x * channel_block + i, channel_block);
      }
    }
  }
  for (; x < pixels; ++x) {
    for (Index i = 0; i < channels; ++i) blocked[x * channel_block + i] = planes[i * plane_stride + x];
    for (Index i = channels; i < channel_block; ++i) blocked[x * channel_block + i] = 0;
  }
}

/// planes[i * plane_stride + x] = blocked[x * channel_block + i] for i < channels.
HWY_INLINE void unpack_row(const float* HWY_RESTRICT blocked, Index channels, Index pixels, float* HWY_RESTRICT planes,
                           Index plane_stride) {
  const Index fours = pixels & ~Index{3}, full = channels & ~Index{3};
  for (Index i = 0; i < full; i += 4) {
    for (Index x = 0; x < fours; x += 4) {
      transpose_4x4(blocked + x * channel_block + i, channel_block, planes + i * plane_stride + x, plane_stride);
    }
  }
  for (Index i = 0; i < channels; ++i) {
    for (Index x = i < full ? fours : 0; x < pixels; ++x) planes[i * plane_stride + x] = blocked[x * channel_block + i];
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
