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
#include <numeric>

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

/// What one thread multiplies at a time: some slots of a block by one panel of the filter. m[position][slot][filter in
/// panel] stays in the thread's own L2 cache until its output is written.
struct Piece {
  Slots slots;
  Index panel;
  float* m;
};

template <int M>
HWY_INLINE void input_stage(const Job& job, const float* image, const TileBlock& b, Index channel_begin,
                            Index channel_end) {
  for (Index block = channel_begin; block < channel_end; ++block) {
    float* const v = b.v + block * b.count * channel_block;
    for_each_strip(job.tiling, b, {0, b.count}, [&](const Strip& strip) HWY_ATTR {
      with_tile_size<M>(strip.height(job.tiling), [&](auto height) HWY_ATTR {
        transform_input<M, height()>(job, image, strip, block, v);
      });
    });
  }
}

/// Where a panel of the transformed filter u[panel][position][channel][filter in panel] begins.
HWY_INLINE Index panel_offset(const Geometry& g, Index positions, Index panel) {
  return panel * positions * spread_stride(g.c * panel_floats);
}

/// The product at all positions, of the tiles that have them. The filter is read in the order in which it lies in
/// memory.
HWY_INLINE void product_stage(const Job& job, const float* filter, const TileBlock& b, const Piece& piece) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Panel p = panel_of(g, piece.panel);
  const Index positions = Index{t.a} * t.a;
  constexpr Index most = channel_chunk / channel_block;
  Index offsets[most];
  for (Index i = 0; i < most; ++i) offsets[i] = i * b.count * channel_block;
  const Index u_stride = spread_stride(g.c * p.width), chunk_floats = channel_chunk * p.width;
  const float* u = filter + panel_offset(g, positions, piece.panel);
  for (Index position = 0; position < positions; ++position, u += u_stride) {
    const Slots all = slots_at(t, b.counts, static_cast<int>(position / t.a), static_cast<int>(position % t.a));
    const Index begin = std::max(all.begin, piece.slots.begin), end = std::min(all.end, piece.slots.end);
    if (begin >= end) continue;
    const float* const rows = b.v + position * t.v_stride + begin * channel_block;
    for (Index block = 0; block < g.c_blocks; block += most) {
      const Index slices = std::min(most, g.c_blocks - block), channels = g.c - block * channel_block;
      const bool last = block + slices == g.c_blocks;
      const Product product{
          .rows = rows + block * b.count * channel_block,
          .row_stride = channel_block,
          .offsets = offsets,
          .panel = u + block * channel_block * p.width,
          .panel_stride = p.width,
          .out = piece.m + position * t.m_stride + (begin - piece.slots.begin) * p.width,
          .out_row_stride = p.width,
          .out_block_stride = channel_block,
          .slices = static_cast<int>(slices),
          .full_slices = static_cast<int>(std::min(slices, channels / channel_block)),
          .tail_channels = static_cast<int>(channels % channel_block),
          .accumulate = block > 0,
          .stream = false,
          .next = last ? u + u_stride : u + (block + most) * channel_block * p.width,
          .next_floats = std::min(chunk_floats, u_stride),
          .next_step = 0,
      };
      multiply_add_block(product, end - begin, p.width);
    }
  }
}

template <int M>
HWY_INLINE void output_stage(const Job& job, float* output, const TileBlock& b, const Piece& piece) {
  const Panel p = panel_of(job.geometry, piece.panel);
  const auto strips = [&](auto blocked, auto stream) HWY_ATTR {
    for (Index i = 0; i < p.width; i += channel_block) {
      const float* const product = piece.m + i - piece.slots.begin * p.width;
      const Index block = (p.first + i) / channel_block;
      for_each_strip(job.tiling, b, piece.slots, [&](const Strip& strip) HWY_ATTR {
        with_tile_size<M>(strip.height(job.tiling), [&](auto height) HWY_ATTR {
          transform_output<M, height(), stream(), blocked()>(job, product, p.width, strip, block, output);
        });
      });
    }
  };
  const auto layout = [&](auto blocked) HWY_ATTR {
    if (job.stream_output) {
      strips(blocked, std::true_type());
    } else {
      strips(blocked, std::false_type());
    }
  };
  if (job.geometry.blocked_output) {
    layout(std::true_type());
  } else {
    layout(std::false_type());
  }
}

constexpr Index share(Index items, Index thread, Index threads) { return items * thread / threads; }

/// The first tile of a thread's share: tiles at the edges count by the multiplications that they take.
inline Index share_of_tiles(const Geometry& g, const Tiling& t, Index thread, Index threads) {
  const Index width = transform_length(g.out_w, t.m), image = transform_length(g.out_h, t.m) * width;
  const Index target = share(g.n * image, thread, threads), in_image = target % image;
  const Index row = std::min(in_image / (t.a * width), t.tiles_y - 1);
  const Index height = row == t.tiles_y - 1 ? t.last_h + 2 : t.a;
  const Index column = std::min((in_image - row * t.a * width) / (height * t.a), t.tiles_x - 1);
  return (target / image * t.tiles_y + row) * t.tiles_x + column;
}

template <int M>
void run_winograd(const Job& job, const Arrays& arrays, int thread, int threads) {
  constexpr Index positions = Index{M + 2} * (M + 2);
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Index panel_count = panels(g);
  const Index first = t.cooperative ? 0 : share_of_tiles(g, t, thread, threads);
  const Index last = t.cooperative ? t.tiles : share_of_tiles(g, t, thread + 1, threads);
  const Index blocks = ceil_div(last - first, t.block_tiles);
  float* const own = arrays.scratch + job.scratch_floats_shared + thread * job.scratch_floats_per_thread;
  // A team that shares a block cuts it by panels, and by tiles too where the panels do not come out even.
  const Index cuts = t.cooperative ? threads / std::gcd(panel_count, Index{threads}) : 1, items = panel_count * cuts;
  const Index first_item = t.cooperative ? share(items, thread, threads) : 0;
  const Index last_item = t.cooperative ? share(items, thread + 1, threads) : items;
  float* const v = t.cooperative ? arrays.scratch : own;
  float* const m = t.cooperative ? own : own + positions * t.v_stride;
  for (Index i = 0; i < blocks; ++i) {
    const Index begin = first + share(last - first, i, blocks), end = first + share(last - first, i + 1, blocks);
    const TileBlock b(t, begin, end, v);
    if (t.cooperative) {
      if (i > 0) {
#pragma omp barrier
      }
      input_stage<M>(job, arrays.image, b, share(g.c_blocks, thread, threads), share(g.c_blocks, thread + 1, threads));
#pragma omp barrier
    } else {
      input_stage<M>(job, arrays.image, b, 0, g.c_blocks);
    }
    for (Index item = first_item; item < last_item; ++item) {
      const Index cut = item % cuts, from = share(b.count, cut, cuts), to = share(b.count, cut + 1, cuts);
      if (from == to) continue;
      const Piece piece{{from, to}, item / cuts, m};
      product_stage(job, arrays.filter, b, piece);
      output_stage<M>(job, arrays.output, b, piece);
    }
  }
}

/// The taps of one panel's filters for one block of channels: taps[tap][channel][filter], zeros where there is none.
HWY_INLINE void pack_taps(const Geometry& g, const float* HWY_RESTRICT filter, const Panel& p, Index first_channel,
                          Index channels, float* HWY_RESTRICT taps) {
  for (Index k = 0; k < p.width; ++k) {
    const bool inside = p.first + k < g.k;
    const float* const from = filter + ((inside ? p.first + k : 0) * g.c + first_channel) * 9;
    for (Index c = 0; c < channels; ++c) {
      for (Index tap = 0; tap < 9; ++tap) {
        taps[(tap * channel_block + c) * panel_floats + k] = inside ? from[c * 9 + tap] : 0.0F;
      }
    }
  }
}

using DoubleTag = hn::CappedTag<double, 16>;
using DoubleVector = hn::Vec<DoubleTag>;

/// out = G in, in double precision. The rows of G for points +p and -p share their even part, and differ in the sign of
/// the odd one.
template <class F, int A>
HWY_INLINE void filter_1d(const DoubleVector (&in)[3], DoubleVector (&out)[A]) {
  static constexpr auto G = filter_matrix<F>();
  const DoubleTag d;
  out[0] = hn::Mul(hn::Set(d, G[0][0]), in[0]);
  out[A - 1] = in[2];
  HWY_UNROLL(3)
  for (int row = 1; row < A - 1; row += 2) {
    const auto even = hn::MulAdd(hn::Set(d, G[row][0]), in[0], hn::Mul(hn::Set(d, G[row][2]), in[2]));
    const auto odd = hn::Mul(hn::Set(d, G[row][1]), in[1]);
    out[row] = hn::Add(even, odd);
    out[row + 1] = hn::Sub(even, odd);
  }
}

/// u[panel][position][channel][filter] = G g G^T, in double precision and rounded once. A panel's filters are taken
/// together, channel after channel, so that every position is written in the order in which it lies in memory.
template <class F>
void transform_filter_winograd(const Job& job, const float* HWY_RESTRICT filter, float* HWY_RESTRICT transformed,
                               int thread, int threads) {
  constexpr int A = static_cast<int>(filter_matrix<F>().size());
  const Geometry& g = job.geometry;
  const Index items = panels(g) * g.c_blocks;
  constexpr Index tap_stride = channel_block * panel_floats;
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> half;
  HWY_ALIGN float taps[9 * channel_block * panel_floats];
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index panel = item / g.c_blocks, first_channel = item % g.c_blocks * channel_block;
    const Panel p = panel_of(g, panel);
    const Index channels = std::min(channel_block, g.c - first_channel), u_stride = spread_stride(g.c * p.width);
    pack_taps(g, filter, p, first_channel, channels, taps);
    float* const block = transformed + panel_offset(g, Index{A} * A, panel) + first_channel * p.width;
    for (Index c = 0; c < channels; ++c) {
      for (Index first = 0; first < p.width; first += channel_block) {
        const float* HWY_RESTRICT from = taps + c * panel_floats + first;
        float* const to = block + c * p.width + first;
        for (Index l = 0; l < channel_block; l += static_cast<Index>(hn::MaxLanes(d))) {
          DoubleVector rows[3][A];
          HWY_UNROLL(3)
          for (int column = 0; column < 3; ++column) {
            DoubleVector taps_of_column[3];
            HWY_UNROLL(3)
            for (int i = 0; i < 3; ++i) {
              taps_of_column[i] = hn::PromoteTo(d, hn::LoadU(half, from + (3 * i + column) * tap_stride + l));
            }
            filter_1d<F>(taps_of_column, rows[column]);
          }
          HWY_UNROLL(8)
          for (int a = 0; a < A; ++a) {
            const DoubleVector in[3] = {rows[0][a], rows[1][a], rows[2][a]};
            DoubleVector out[A];
            filter_1d<F>(in, out);
            HWY_UNROLL(8)
            for (int b = 0; b < A; ++b) hn::StoreU(hn::DemoteTo(half, out[b]), half, to + (a * A + b) * u_stride + l);
          }
        }
      }
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
