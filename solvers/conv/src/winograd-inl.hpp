// The three stages of a Winograd convolution over blocks of tiles, and the filter's transform.

#if defined(ROOFTOP_CONV_WINOGRAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_WINOGRAD_INL
#undef ROOFTOP_CONV_WINOGRAD_INL
#else
#define ROOFTOP_CONV_WINOGRAD_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "points.hpp"
#include "product-inl.hpp"
#include "tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

/// Channels summed in registers before the sum is added to M: this panel's part and the next one's, fetched meanwhile,
/// stay in the L1 cache, and splitting the long sum more than halves its rounding error at 512 channels.
inline constexpr Index channel_chunk = 64;

struct Panel {
  Index first, width;  ///< filters [first, first + width)
};
HWY_INLINE Panel panel_of(const Geometry& g, Index index) {
  const Index first = index * panel_floats;
  return {first, std::min<Index>(panel_floats, g.k_blocks * channel_block - first)};
}
HWY_INLINE Index panels(const Geometry& g) { return ceil_div(g.k_blocks * channel_block, panel_floats); }

/// A block of consecutive tiles and its arrays: v[position][channel block][tile][16], m[position][panel][tile][filter].
struct TileBlock {
  Index begin, count;
  float* v;
  float* m;
};

template <int M>
HWY_INLINE void input_stage(const Job& job, const float* image, const TileBlock& b, Index channel_begin,
                            Index channel_end) {
  for (Index block = channel_begin; block < channel_end; ++block) {
    float* const v = b.v + block * b.count * channel_block;
    for_each_strip(job.tiling, b.begin, b.begin + b.count, [&](const Strip& strip, Index tile) HWY_ATTR {
      transform_input<M>(job.geometry, image, strip, block, v + tile * channel_block, job.tiling.v_stride);
    });
  }
}

HWY_INLINE void product_stage(const Job& job, const float* filter, const TileBlock& b, Index position, Index panel) {
  const Geometry& g = job.geometry;
  const Panel p = panel_of(g, panel);
  constexpr Index most = channel_chunk / channel_block;
  Index offsets[most];
  for (Index i = 0; i < most; ++i) offsets[i] = i * b.count * channel_block;
  for (Index block = 0; block < g.c_blocks; block += most) {
    const Index slices = std::min(most, g.c_blocks - block), channels = g.c - block * channel_block;
    const Product product{
        .rows = b.v + position * job.tiling.v_stride + block * b.count * channel_block,
        .offsets = offsets,
        .panel = filter + position * job.tiling.u_stride + p.first * g.c + block * channel_block * p.width,
        .panel_stride = p.width,
        .out = b.m + position * job.tiling.m_stride + p.first * b.count,
        .out_row_stride = p.width,
        .out_block_stride = channel_block,
        .slices = static_cast<int>(slices),
        .full_slices = static_cast<int>(std::min(slices, channels / channel_block)),
        .tail_channels = static_cast<int>(channels % channel_block),
        .accumulate = block > 0,
        .stream = false,
        .next = filter + position * job.tiling.u_stride + p.first * g.c +
                std::min(block + most, g.c_blocks) * channel_block * p.width,
        .next_floats = slices * channel_block * p.width,
    };
    multiply_add_block(product, b.count, p.width);
  }
}

template <int M>
HWY_INLINE void output_stage(const Job& job, float* output, const TileBlock& b, Index block_begin, Index block_end) {
  for (Index block = block_begin; block < block_end; ++block) {
    const Panel p = panel_of(job.geometry, block * channel_block / panel_floats);
    const float* const m = b.m + p.first * b.count + (block * channel_block - p.first);
    for_each_strip(job.tiling, b.begin, b.begin + b.count, [&](const Strip& strip, Index tile) HWY_ATTR {
      const float* const product = m + tile * p.width;
      if (job.stream_output) {
        transform_output<M, true>(job.geometry, product, job.tiling.m_stride, p.width, strip, block, output);
      } else {
        transform_output<M, false>(job.geometry, product, job.tiling.m_stride, p.width, strip, block, output);
      }
    });
  }
}

constexpr Index share(Index items, Index thread, Index threads) { return items * thread / threads; }

template <int M>
void run_winograd(const Job& job, const Arrays& arrays, int thread, int threads) {
  constexpr Index positions = Index{M + 2} * (M + 2);
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Index panel_count = panels(g);
  const Index first = t.cooperative ? 0 : share(t.tiles, thread, threads);
  const Index last = t.cooperative ? t.tiles : share(t.tiles, thread + 1, threads);
  const Index blocks = ceil_div(last - first, t.block_tiles);
  float* const v = arrays.scratch + (t.cooperative ? 0 : thread * job.scratch_floats_per_thread);
  for (Index i = 0; i < blocks; ++i) {
    const Index begin = first + share(last - first, i, blocks), end = first + share(last - first, i + 1, blocks);
    const TileBlock b{begin, end - begin, v, v + positions * t.v_stride};
    if (!t.cooperative) {
      input_stage<M>(job, arrays.image, b, 0, g.c_blocks);
      for (Index position = 0; position < positions; ++position) {
        for (Index panel = 0; panel < panel_count; ++panel) product_stage(job, arrays.filter, b, position, panel);
      }
      output_stage<M>(job, arrays.output, b, 0, g.k_blocks);
      continue;
    }
    input_stage<M>(job, arrays.image, b, share(g.c_blocks, thread, threads), share(g.c_blocks, thread + 1, threads));
#pragma omp barrier
    const Index items = positions * panel_count;
    for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
      product_stage(job, arrays.filter, b, item / panel_count, item % panel_count);
    }
#pragma omp barrier
    output_stage<M>(job, arrays.output, b, share(g.k_blocks, thread, threads), share(g.k_blocks, thread + 1, threads));
  }
}

/// u[position][panel][channel][filter] = G g G^T, in double precision and rounded once.
template <class F>
void transform_filter_winograd(const Job& job, const float* HWY_RESTRICT filter, float* HWY_RESTRICT transformed,
                               int thread, int threads) {
  static constexpr auto G = filter_matrix<F>();
  constexpr int A = static_cast<int>(G.size());
  const Geometry& g = job.geometry;
  const Index items = g.k_blocks * g.c;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index block = item / g.c, c = item % g.c;
    const Panel p = panel_of(g, block * channel_block / panel_floats);
    const Index filters = std::min(channel_block, g.k - block * channel_block);
    alignas(64) double taps[9][channel_block] = {};
    for (Index i = 0; i < filters; ++i) {
      const float* const from = filter + ((block * channel_block + i) * g.c + c) * 9;
      for (int tap = 0; tap < 9; ++tap) taps[tap][i] = from[tap];
    }
    alignas(64) double half[A][3][channel_block];
    for (int a = 0; a < A; ++a) {
      for (int s = 0; s < 3; ++s) {
        for (Index i = 0; i < channel_block; ++i) {
          half[a][s][i] = G[a][0] * taps[s][i] + G[a][1] * taps[3 + s][i] + G[a][2] * taps[6 + s][i];
        }
      }
    }
    float* const to = transformed + p.first * g.c + c * p.width + (block * channel_block - p.first);
    for (int a = 0; a < A; ++a) {
      for (int b = 0; b < A; ++b) {
        float* HWY_RESTRICT u = to + (a * A + b) * job.tiling.u_stride;
        for (Index i = 0; i < channel_block; ++i) {
          u[i] = static_cast<float>(G[b][0] * half[a][0][i] + G[b][1] * half[a][1][i] + G[b][2] * half[a][2][i]);
        }
      }
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
