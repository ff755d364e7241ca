// The multiply-add kernel: a few rows of broadcast values times a panel of the transformed filter.

#if defined(ROOFTOP_CONV_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_PRODUCT_INL
#undef ROOFTOP_CONV_PRODUCT_INL
#else
#define ROOFTOP_CONV_PRODUCT_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>

#include "geometry.hpp"
#include "transform-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

// Registers: rows x vectors accumulators, the vectors of one filter row, and a broadcast. AVX-512 and NEON have 32.
inline constexpr int registers = lanes == 16 || HWY_ARCH_ARM_A64 ? 32 : 16;
inline constexpr int max_vectors = registers == 32 ? 4 : 2;
/// Filters that one panel holds. At least channel_block, so that a panel ends on a block's edge.
inline constexpr int panel_floats = std::max(max_vectors * lanes, static_cast<int>(channel_block));
constexpr int max_rows(int vectors) { return std::min(14, (registers - vectors - 1) / vectors); }

/// How far behind what is fetched into the L1 cache for the next call a filter is fetched into the L2 cache: 32 KiB,
/// two calls with 32 registers. A core has more misses of its L2 cache under way than of its L1 cache, which alone do
/// not cover the memory. At the filter's end that is what lies behind it, which does no harm.
inline constexpr Index far_floats = 8 * 1024;

/// Where the operands of one call lie, in floats.
struct Product {
  const float* rows;     ///< rows[offsets[i] + r * row_stride + c]: channel c of slice i for row r
  Index row_stride;      ///< channel_block, or less for rows that overlap
  const Index* offsets;  ///< one per slice of up to channel_block channels
  const float* panel;    ///< panel[(slice's first channel + c) * panel_stride + filter]
  Index panel_stride;
  float* out;  ///< out[r * out_row_stride + b * out_block_stride + i]: filter channel_block * b + i
  Index out_row_stride;
  Index out_block_stride;
  int slices;
  int full_slices;  ///< the first ones, of channel_block channels each; those behind have tail_channels
  int tail_channels;
  bool accumulate;    ///< add to out instead of setting it
  bool stream;        ///< write past the caches; only without accumulate, to an aligned out
  const float* next;  ///< what the caller's next call takes as its panel: fetched into the L1 cache meanwhile
  Index next_floats;
  Index next_step;  ///< floats of it to fetch with each channel; multiply_add_block sets it
};

template <int R, int Q>
HWY_INLINE void multiply_add_row(const float* HWY_RESTRICT rows, Index row_stride, const float* HWY_RESTRICT panel,
                                 Vector (&sum)[R][Q]) {
  const Tag d;
  Vector filter[Q];
  HWY_UNROLL(4)
  for (int q = 0; q < Q; ++q) filter[q] = hn::LoadU(d, panel + q * lanes);
  HWY_UNROLL(14)
  for (int r = 0; r < R; ++r) {
    const auto value = hn::Set(d, rows[r * row_stride]);
    HWY_UNROLL(4)
    for (int q = 0; q < Q; ++q) sum[r][q] = hn::MulAdd(value, filter[q], sum[r][q]);
  }
}

template <int R, int Q, bool kOverlap>
HWY_NOINLINE void multiply_add(const Product& p) {
  const Tag d;
  const Index row_stride = kOverlap ? p.row_stride : channel_block;
  Vector sum[R][Q];
  HWY_UNROLL(14)
  for (int r = 0; r < R; ++r) {
    HWY_UNROLL(4)
    for (int q = 0; q < Q; ++q) sum[r][q] = hn::Zero(d);
  }
  constexpr int per_block = static_cast<int>(channel_block) / lanes;
  if (!p.stream) {
    for (int r = 0; r < R; ++r) {
      for (int q = 0; q < Q; q += per_block) {
        __builtin_prefetch(p.out + r * p.out_row_stride + (q / per_block) * p.out_block_stride, 1);
      }
    }
  }
  const Index panel_stride = p.panel_stride;
  const float* HWY_RESTRICT panel = p.panel;
  const float* next = p.next;
  const Index next_step = p.next_step;
  for (int i = 0; i < p.slices; ++i) {
    const float* HWY_RESTRICT rows = p.rows + p.offsets[i];
    if (!kOverlap && i + 1 < p.slices) {  // rows that overlap lie side by side, and the hardware follows
      const float* const next = p.rows + p.offsets[i + 1];
      HWY_UNROLL(14)
      for (int r = 0; r < R; ++r) hwy::Prefetch(next + r * row_stride);
    }
    const int channels = i < p.full_slices ? static_cast<int>(channel_block) : p.tail_channels;
    HWY_UNROLL(1)
    for (int c = 0; c < channels; ++c, panel += panel_stride, next += next_step) {
      if (!kOverlap) {
        hwy::Prefetch(next);
        hwy::Prefetch(next + line_floats);
        __builtin_prefetch(next + far_floats, 0, 2);
        __builtin_prefetch(next + far_floats + line_floats, 0, 2);
      }
      multiply_add_row<R, Q>(rows + c, row_stride, panel, sum);
    }
  }
  const auto store = [&](const auto& put) HWY_ATTR {
    float* row = p.out;
    const Index row_step = p.out_row_stride, block_step = p.out_block_stride;
    HWY_UNROLL(14)
    for (int r = 0; r < R; ++r, row += row_step) {
      HWY_UNROLL(4)
      for (int q = 0; q < Q; ++q) put(sum[r][q], row + (q / per_block) * block_step + (q % per_block) * lanes);
    }
  };
  if (p.stream) {
    store([d](Vector v, float* out) HWY_ATTR { hn::Stream(v, d, out); });
  } else if (p.accumulate) {
    store([d](Vector v, float* out) HWY_ATTR { hn::StoreU(hn::Add(v, hn::LoadU(d, out)), d, out); });
  } else {
    store([d](Vector v, float* out) HWY_ATTR { hn::StoreU(v, d, out); });
  }
}

using ProductKernel = void (*)(const Product&);

template <int Q, bool kOverlap, int... R>
constexpr std::array<ProductKernel, sizeof...(R) + 1> product_row(std::integer_sequence<int, R...>) {
  return {nullptr, &multiply_add<R + 1, Q, kOverlap>...};
}

/// Computes `rows` rows by `filters` filters, cut into register blocks of at most `widest` vectors of filters. Four
/// vectors read the rows least often, two allow the most rows, which suits a panel that streams from the L2 cache.
template <bool kOverlap = false>
void multiply_add_block(const Product& p, Index rows, Index filters, int widest = max_vectors) {
  static constexpr auto one = product_row<1, kOverlap>(std::make_integer_sequence<int, max_rows(1)>());
  static constexpr auto two = product_row<2, kOverlap>(std::make_integer_sequence<int, max_rows(2)>());
  static constexpr auto three = product_row<3, kOverlap>(std::make_integer_sequence<int, max_rows(3)>());
  static constexpr auto four = product_row<4, kOverlap>(std::make_integer_sequence<int, max_rows(4)>());
  constexpr int per_block = static_cast<int>(channel_block) / lanes;
  const Index vectors = filters / lanes;
  const Index channels = p.full_slices * channel_block + (p.slices - p.full_slices) * p.tail_channels;
  for (Index q = 0; q < vectors;) {
    const Index width = std::min<Index>(vectors - q, widest);
    const ProductKernel* const kernels[] = {nullptr, one.data(), two.data(), three.data(), four.data()};
    const Index most = max_rows(static_cast<int>(width));
    const Index pieces = ceil_div(rows, most), base = rows / pieces, longer = rows % pieces;
    Product piece = p;
    piece.panel = p.panel + q * lanes;
    // Spread evenly, so that the few misses that a core can have under way at a time are never all taken.
    const Index calls = pieces * ceil_div(vectors, widest);
    piece.next_step = std::min(ceil_div(p.next_floats, calls * channels), 2 * line_floats);
    piece.out = p.out + (q / per_block) * p.out_block_stride + (q % per_block) * lanes;
    for (Index i = 0; i < pieces; ++i) {
      const Index count = base + (i < longer ? 1 : 0);
      kernels[width][count](piece);
      piece.rows += count * p.row_stride;
      piece.next = std::min(piece.next + channels * piece.next_step, p.next + p.next_floats);
      piece.out += count * p.out_row_stride;
    }
    q += width;
  }
}

// In product.cpp: every algorithm takes it, and it is most of what they would compile.
extern template void multiply_add_block<false>(const Product&, Index, Index, int);

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
