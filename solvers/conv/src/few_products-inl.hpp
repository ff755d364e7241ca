// Products and output transforms of F(4x4,3x3) for an image of few channels, which stay in registers and the L1 cache.
//
// One factor of the products is a vector, of filters or of tiles, the other one are scalars, of tiles or of filters.

#if defined(ROOFTOP_CONV_FEW_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_FEW_PRODUCTS_INL
#undef ROOFTOP_CONV_FEW_PRODUCTS_INL
#else
#define ROOFTOP_CONV_FEW_PRODUCTS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "geometry.hpp"
#include "product-inl.hpp"
#include "transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

inline constexpr int few_side = 6;    // of a tile's input
inline constexpr Index few_tile = 4;  // of its output
/// Transformed pixels and filters are both [channel][position][16], of tiles or of filters: every distance is known
/// when this is compiled, which leaves the registers for addresses to the two pointers.
inline constexpr Index few_lanes = 16;
inline constexpr Index few_floats = few_side * few_side * few_lanes;  // of one channel
static_assert(run_tiles == few_lanes && channel_block == few_lanes);

/// Whether the sums of a column of positions stay in registers: with 16 of them, sums of more channels than two go
/// through the L1 cache.
template <int kChannels>
inline constexpr bool few_in_registers = registers == 32 || kChannels <= 2;

/// Scalars that share a load of the vector factor.
template <int kChannels>
inline constexpr int few_scalars = registers == 32 || !few_in_registers<kChannels> ? 4 : 2;

inline constexpr Index vector_blocks = std::max(lanes / 4, 1);  // of 128 bits

/// Where a tile of a run lies among the few_lanes. Pixels and outputs of tiles are interleaved by 4 x 4 transposes
/// within the 128-bit blocks of vectors, which leaves neighbouring tiles in neighbouring blocks.
HWY_INLINE constexpr Index tile_lane(Index tile) {
  const Index in_vector = tile % lanes;
  return tile - in_vector + in_vector % vector_blocks * 4 + in_vector / vector_blocks;
}

/// Where the scalar lies whose number in its group is `s`: the first one's place is a multiple of few_scalars.
template <int kChannels, bool kTiles>
HWY_INLINE constexpr Index scalar_lane(Index s) {
  static_assert(few_scalars<kChannels> % vector_blocks == 0, "a group begins in the first block");
  return kTiles ? tile_lane(s) : s;
}

/// For each scalar and part of the vector factor, the rows of its tile after the output transform of the columns.
template <int kChannels, int kParts>
struct FewRows {
  HWY_ALIGN float of[few_scalars<kChannels>][few_tile][kParts][few_side][lanes];
};

/// The products over the channels of some scalars and kParts vectors at one position: emit(scalar, part, sum).
template <int kChannels, int kParts, bool kTiles, class Emit>
HWY_INLINE void multiply_position(const float* HWY_RESTRICT vector, const float* HWY_RESTRICT scalars,
                                  const Emit& emit) {
  const Tag d;
  Vector held[kChannels][kParts];
  HWY_UNROLL(8)
  for (int c = 0; c < kChannels; ++c) {
    HWY_UNROLL(4)
    for (int part = 0; part < kParts; ++part) held[c][part] = hn::Load(d, vector + c * few_floats + part * lanes);
  }
  HWY_UNROLL(4)
  for (int s = 0; s < few_scalars<kChannels>; ++s) {
    const float* HWY_RESTRICT const values = scalars + scalar_lane<kChannels, kTiles>(s);
    const auto first = hn::Set(d, values[0]);
    Vector sum[kParts];
    HWY_UNROLL(4)
    for (int part = 0; part < kParts; ++part) sum[part] = hn::Mul(first, held[0][part]);
    HWY_UNROLL(8)
    for (int c = 1; c < kChannels; ++c) {
      const auto value = hn::Set(d, values[c * few_floats]);
      HWY_UNROLL(4)
      for (int part = 0; part < kParts; ++part) sum[part] = hn::MulAdd(value, held[c][part], sum[part]);
    }
    HWY_UNROLL(4)
    for (int part = 0; part < kParts; ++part) emit(s, part, sum[part]);
  }
}

/// A vector that was loaded once for several multiply-adds. Short of registers, GCC would load it again for each.
HWY_INLINE void keep_in_register(Vector& v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  __asm__("" : "+v"(v.raw));
#else
  (void)v;
#endif
}

/// With 16 registers: sums go through the L1 cache, since those of six positions and two scalars would leave no
/// register to hold the vector factor, and every multiply-add would load one and a half operands. A column of positions
/// is transformed while the next one is multiplied: additions and multiply-adds have units of their own.
template <int kChannels, int kParts, bool kTiles>
HWY_INLINE void columns_through_cache(const float* HWY_RESTRICT vector, const float* HWY_RESTRICT scalars,
                                      FewRows<kChannels, kParts>& rows) {
  const Tag d;
  HWY_ALIGN float sums[2][few_scalars<kChannels>][kParts][few_side][lanes];
  const auto multiply = [&](int i, int j) HWY_ATTR {
    const Index position = (i * few_side + j) * few_lanes;
    multiply_position<kChannels, kParts, kTiles>(vector + position, scalars + position,
                                                 [&](int s, int part, Vector sum)
                                                     HWY_ATTR { hn::Store(sum, d, sums[j % 2][s][part][i]); });
  };
  const auto transform = [&](int s, int j) HWY_ATTR {
    HWY_UNROLL(4)
    for (int part = 0; part < kParts; ++part) {
      Vector in[few_side], out[few_tile];
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) in[i] = hn::Load(d, sums[j % 2][s][part][i]);
      output_1d(in, out);
      HWY_UNROLL(4)
      for (int i = 0; i < few_tile; ++i) hn::Store(out[i], d, rows.of[s][i][part][j]);
    }
  };
  static_assert(few_scalars<kChannels> <= few_side, "each is transformed beside one position's products");
  HWY_UNROLL(6)
  for (int i = 0; i < few_side; ++i) multiply(i, 0);
  HWY_UNROLL(1)
  for (int j = 1; j < few_side; ++j) {
    HWY_UNROLL(6)
    for (int i = 0; i < few_side; ++i) {
      multiply(i, j);
      if (i < few_scalars<kChannels>) transform(i, j - 1);
    }
  }
  HWY_UNROLL(4)
  for (int s = 0; s < few_scalars<kChannels>; ++s) transform(s, few_side - 1);
}

/// The sums of a column of positions stay in registers until they are transformed.
template <int kChannels, int kParts, bool kTiles>
HWY_INLINE void columns_in_registers(const float* HWY_RESTRICT vector, const float* HWY_RESTRICT scalars,
                                     FewRows<kChannels, kParts>& rows) {
  const Tag d;
  HWY_UNROLL(1)
  for (int column = 0; column < kParts * few_side; ++column) {
    const int j = column / kParts, part = column % kParts;
    const float* HWY_RESTRICT const from = vector + j * few_lanes + part * lanes;
    const float* HWY_RESTRICT const values = scalars + j * few_lanes;
    Vector sum[few_scalars<kChannels>][few_side];
    HWY_UNROLL(4)
    for (int s = 0; s < few_scalars<kChannels>; ++s) {
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) sum[s][i] = hn::Zero(d);
    }
    HWY_UNROLL(8)
    for (Index c = 0; c < kChannels; ++c) {
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) {
        const Index position = c * few_floats + i * few_side * few_lanes;
        auto lane = hn::Load(d, from + position);
        keep_in_register(lane);
        HWY_UNROLL(4)
        for (int s = 0; s < few_scalars<kChannels>; ++s) {
          sum[s][i] = hn::MulAdd(hn::Set(d, values[position + scalar_lane<kChannels, kTiles>(s)]), lane, sum[s][i]);
        }
      }
    }
    HWY_UNROLL(4)
    for (int s = 0; s < few_scalars<kChannels>; ++s) {
      Vector out[few_tile];
      output_1d(sum[s], out);
      HWY_UNROLL(4)
      for (int i = 0; i < few_tile; ++i) hn::Store(out[i], d, rows.of[s][i][part][j]);
    }
  }
}

/// Calls emit(s, row, part, out): for scalar s the four outputs of a row of its tile, by lane of a part of the vector
/// factor. Parts lie one behind the other.
template <int kChannels, int kParts, bool kTiles, class Emit>
HWY_INLINE void multiply_and_transform(const float* HWY_RESTRICT vector, const float* HWY_RESTRICT scalars,
                                       const Emit& emit) {
  const Tag d;
  FewRows<kChannels, kParts> rows;
  if constexpr (few_in_registers<kChannels>) {
    columns_in_registers<kChannels, kParts, kTiles>(vector, scalars, rows);
  } else {
    columns_through_cache<kChannels, kParts, kTiles>(vector, scalars, rows);
  }
  HWY_UNROLL(1)
  for (int s = 0; s < few_scalars<kChannels>; ++s) {
    HWY_UNROLL(4)
    for (int i = 0; i < few_tile; ++i) {
      HWY_UNROLL(4)
      for (int part = 0; part < kParts; ++part) {
        Vector in[few_side], out[few_tile];
        HWY_UNROLL(6)
        for (int j = 0; j < few_side; ++j) in[j] = hn::Load(d, rows.of[s][i][part][j]);
        output_1d(in, out);
        emit(s, i, part, out);
      }
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
