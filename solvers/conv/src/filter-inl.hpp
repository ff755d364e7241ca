// The filter as the product reads it: its panels, and the transform of 3x3 taps to all positions of a tile.

#if defined(ROOFTOP_CONV_FILTER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_FILTER_INL
#undef ROOFTOP_CONV_FILTER_INL
#else
#define ROOFTOP_CONV_FILTER_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "geometry.hpp"
#include "pack-inl.hpp"
#include "points.hpp"
#include "product-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

inline constexpr Index chunk_blocks = chunk_channels / channel_block;

struct Panel {
  Index first, width;  ///< filters [first, first + width)
};
HWY_INLINE Panel panel_of(const Geometry& g, Index index) {
  const Index first = index * panel_floats;
  return {first, std::min<Index>(panel_floats, g.k_blocks * channel_block - first)};
}
HWY_INLINE Index panels(const Geometry& g) { return ceil_div(g.k_blocks * channel_block, panel_floats); }

/// Where a panel of the transformed filter u[panel][position][channel][filter in panel] begins.
HWY_INLINE Index panel_offset(const Geometry& g, Index positions, Index panel) {
  return panel * positions * spread_stride(g.c * panel_floats);
}

constexpr Index share(Index items, Index thread, Index threads) { return items * thread / threads; }

/// The 3x3 taps of one panel's filters for one block of channels.
struct Taps {
  HWY_ALIGN float of[panel_floats / channel_block][channel_block * 9][channel_block];  ///< [group][9 channel + tap][16]
};

HWY_INLINE void pack_taps(const Geometry& g, const float* HWY_RESTRICT filter, const Panel& p, Index first_channel,
                          Index channels, Taps& taps) {
  for (Index k = 0; k < p.width; k += channel_block) {
    const Index first = p.first + k;
    pack_row(filter + (first * g.c + first_channel) * 9, g.c * 9, std::min(channel_block, g.k - first), channels * 9,
             taps.of[k / channel_block][0]);
  }
}

/// out = G in. The rows of G for points +p and -p share their even part, and differ in the sign of the odd one.
template <class F, class D, class V, int A>
HWY_INLINE void filter_1d(D d, const V (&in)[3], V (&out)[A]) {
  using T = hn::TFromD<D>;
  static constexpr auto G = filter_matrix<F>();
  out[0] = hn::Mul(hn::Set(d, static_cast<T>(G[0][0])), in[0]);
  out[A - 1] = in[2];
  HWY_UNROLL(3)
  for (int row = 1; row < A - 1; row += 2) {
    const auto even =
        hn::MulAdd(hn::Set(d, static_cast<T>(G[row][0])), in[0], hn::Mul(hn::Set(d, static_cast<T>(G[row][2])), in[2]));
    const auto odd = hn::Mul(hn::Set(d, static_cast<T>(G[row][1])), in[1]);
    out[row] = hn::Add(even, odd);
    out[row + 1] = hn::Sub(even, odd);
  }
}

HWY_INLINE Vector load_as(Tag d, const float* from) { return hn::Load(d, from); }
HWY_INLINE void store_as(Tag d, Vector v, float* to) { hn::Store(v, d, to); }

using DoubleTag = hn::CappedTag<double, 16>;
using DoubleVector = hn::Vec<DoubleTag>;
HWY_INLINE DoubleVector load_as(DoubleTag d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, DoubleTag>(), from));
}
HWY_INLINE void store_as(DoubleTag d, DoubleVector v, float* to) {
  const hn::Rebind<float, decltype(d)> half;
  hn::StoreU(hn::DemoteTo(half, v), half, to);
}

/// Taps that will be packed next, one block of channels of `filters` filters: fetched into the L2 cache a filter at a
/// time.
struct NextTaps {
  const float* first = nullptr;
  Index stride = 0, filters = 0;

  HWY_INLINE void fetch_one() {
    if (filters <= 0) return;
    for (Index i = 0; i < channel_block * 9; i += line_floats) __builtin_prefetch(first + i, 0, 2);
    first += stride;
    --filters;
  }
};

/// G g G^T of `width` filters and one block of channels, in the arithmetic of D: u[channel * channel_stride + position
/// * u_stride + filter]. The filters are taken together, channel after channel, so that each position is written in the
/// order of memory.
template <class F, class D>
HWY_INLINE void transform_taps(D d, const Taps& taps, Index width, Index channels, float* HWY_RESTRICT u,
                               Index u_stride, Index channel_stride, NextTaps next = {}) {
  constexpr int A = static_cast<int>(filter_matrix<F>().size());
  using V = hn::Vec<D>;
  constexpr Index step = static_cast<Index>(hn::MaxLanes(D()));
  for (Index c = 0; c < channels; ++c) {
    for (Index k = 0; k < width; k += step) {
      const float* HWY_RESTRICT from = taps.of[k / channel_block][c * 9] + k % channel_block;
      next.fetch_one();
      float* const to = u + c * channel_stride + k;
      V rows[3][A];
      HWY_UNROLL(3)
      for (int column = 0; column < 3; ++column) {
        V in[3];
        HWY_UNROLL(3)
        for (int i = 0; i < 3; ++i) in[i] = load_as(d, from + (3 * i + column) * channel_block);
        filter_1d<F>(d, in, rows[column]);
      }
      HWY_UNROLL(8)
      for (int a = 0; a < A; ++a) {
        const V in[3] = {rows[0][a], rows[1][a], rows[2][a]};
        V out[A];
        filter_1d<F>(d, in, out);
        HWY_UNROLL(8)
        for (int b = 0; b < A; ++b) store_as(d, out[b], to + (a * A + b) * u_stride);
      }
    }
  }
}

/// The same in double precision, rounded once, if the filter was transformed beforehand; of a plain one in single
/// precision, as transform_filter_chunk does.
template <class F>
HWY_INLINE void transform_taps(const Geometry& g, const Taps& taps, Index width, Index channels, float* HWY_RESTRICT u,
                               Index u_stride, Index channel_stride) {
  if (g.plain_filter) {
    transform_taps<F>(Tag(), taps, width, channels, u, u_stride, channel_stride);
  } else {
    transform_taps<F>(DoubleTag(), taps, width, channels, u, u_stride, channel_stride);
  }
}

/// The whole filter: u[panel][position][channel][filter], or u[block of filters][channel][position][filter] for few
/// channels in registers.
template <class F>
void transform_filter_winograd(const Job& job, const float* HWY_RESTRICT filter, float* HWY_RESTRICT transformed,
                               int thread, int threads) {
  constexpr Index a = filter_matrix<F>().size();
  const Geometry& g = job.geometry;
  Taps taps;
  if (job.tiling.in_registers) {
    for (Index block = share(g.k_blocks, thread, threads); block < share(g.k_blocks, thread + 1, threads); ++block) {
      pack_taps(g, filter, {block * channel_block, channel_block}, 0, g.c, taps);
      constexpr Index channel_stride = a * a * channel_block;
      float* const u = transformed + block * g.c * channel_stride;
      transform_taps<F>(g, taps, channel_block, g.c, u, channel_block, channel_stride);
    }
    return;
  }
  const Index items = panels(g) * g.c_blocks;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index panel = item / g.c_blocks, first_channel = item % g.c_blocks * channel_block;
    const Panel p = panel_of(g, panel);
    const Index channels = std::min(channel_block, g.c - first_channel);
    pack_taps(g, filter, p, first_channel, channels, taps);
    float* const u = transformed + panel_offset(g, a * a, panel) + first_channel * p.width;
    const Index u_stride = spread_stride(g.c * p.width);
    transform_taps<F>(g, taps, p.width, channels, u, u_stride, p.width);
  }
}

/// One panel's part for the channels of some blocks, to be multiplied at once: u[position][channel][filter] stays in
/// the L2 cache.
template <class F>
HWY_INLINE void transform_filter_chunk(const Geometry& g, const float* HWY_RESTRICT filter, const Panel& p,
                                       Index first_block, Index blocks, float* HWY_RESTRICT u, Index u_stride) {
  Taps taps;
  for (Index block = 0; block < blocks; ++block) {
    const Index first_channel = (first_block + block) * channel_block;
    const Index channels = std::min(channel_block, g.c - first_channel);
    pack_taps(g, filter, p, first_channel, channels, taps);
    NextTaps next;
    if (first_channel + channel_block < g.c) {
      next = {filter + (p.first * g.c + first_channel + channel_block) * 9, g.c * 9, std::min(p.width, g.k - p.first)};
    }
    transform_taps<F>(Tag(), taps, p.width, channels, u + block * channel_block * p.width, u_stride, p.width, next);
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
