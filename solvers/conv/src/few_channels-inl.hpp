// F(4x4,3x3) of an image of few channels: a tile's product and output transform stay in registers and the L1 cache.
//
// Three input channels take 36 x 3 multiply-adds a tile and filter, fewer than V and M take loads and stores on their
// way through the L2 cache. Here nothing but pixels, the filter and outputs goes through it. Sixteen tiles of a row are
// transformed together; outputs in blocks of channels are then vectors of filters, and those in planes vectors of
// tiles.

#if defined(ROOFTOP_CONV_FEW_CHANNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_FEW_CHANNELS_INL
#undef ROOFTOP_CONV_FEW_CHANNELS_INL
#else
#define ROOFTOP_CONV_FEW_CHANNELS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "filter-inl.hpp"
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
inline constexpr Index row_pixels = round_up(run_tiles * few_tile + few_side - few_tile, line_floats);

/// Neighbouring tiles of one row of tiles, at most run_tiles. y0, x0: of their first output.
struct TileRun {
  Index image, y0, x0, tiles;
};

/// row_pixels of one channel from (y, x0) on, in the image's own coordinates, with zeros outside of it: where they lie
/// in a plane, or copied to `pixels`.
HWY_INLINE const float* pixels_from(const Geometry& g, const float* HWY_RESTRICT image, Index n, Index channel, Index y,
                                    Index x0, float* HWY_RESTRICT pixels) {
  const bool row_inside = y >= 0 && y < g.h;
  const Index begin = row_inside ? std::clamp<Index>(-x0, 0, row_pixels) : row_pixels;
  const Index end = std::max(begin, std::min(g.w - x0, row_pixels));
  if (end - begin == row_pixels && !g.blocked_input) return image + ((n * g.c + channel) * g.h + y) * g.w + x0;
  std::fill(pixels, pixels + begin, 0.0F);
  std::fill(pixels + end, pixels + row_pixels, 0.0F);
  if (begin == end) return pixels;
  if (g.blocked_input) {
    const float* const from = image + ((n * g.h + y) * g.w + x0 + begin) * channel_block + channel;
    for (Index x = 0; x < end - begin; ++x) pixels[begin + x] = from[x * channel_block];
  } else {
    const float* const from = image + ((n * g.c + channel) * g.h + y) * g.w + x0 + begin;
    std::copy(from, from + (end - begin), pixels + begin);
  }
  return pixels;
}

/// v[channel][position][tile of the run] = B^T pixels B
HWY_INLINE void transform_run(const Geometry& g, const float* HWY_RESTRICT image, const TileRun& run,
                              float* HWY_RESTRICT v) {
  const Tag d;
  HWY_ALIGN float pixels[few_side][row_pixels];
  HWY_ALIGN float columns[few_side][row_pixels];
  for (Index c = 0; c < g.c; ++c) {
    const float* row[few_side];
    for (int i = 0; i < few_side; ++i) {
      row[i] = pixels_from(g, image, run.image, c, run.y0 - g.padding + i, run.x0 - g.padding, pixels[i]);
    }
    for (Index x = 0; x < row_pixels; x += lanes) {
      Vector in[few_side], out[few_side];
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) in[i] = hn::LoadU(d, row[i] + x);
      input_1d(in, out);
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) hn::Store(out[i], d, columns[i] + x);
    }
    for (int i = 0; i < few_side; ++i) {
      for (Index t = 0; t < run_tiles; t += lanes) {
        Vector in[few_side], out[few_side], behind[2];
        const float* const from = columns[i] + t * few_tile;
        hn::LoadInterleaved4(d, from, in[0], in[1], in[2], in[3]);
        hn::LoadInterleaved4(d, from + few_tile, in[4], in[5], behind[0], behind[1]);
        input_1d(in, out);
        HWY_UNROLL(6)
        for (int j = 0; j < few_side; ++j) {
          hn::Store(out[j], d, v + c * few_floats + (i * few_side + j) * few_lanes + t);
        }
      }
    }
  }
}

/// Products that share a load of the vector factor: six of each column of positions stay in registers.
inline constexpr int few_scalars = registers == 32 ? 4 : 2;

/// A vector that was loaded once for several multiply-adds. Short of registers, GCC would load it again for each.
HWY_INLINE void keep_in_register(Vector& v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  __asm__("" : "+v"(v.raw));
#else
  (void)v;
#endif
}

/// Calls emit(s, row, part, out): for scalar s the four outputs of a row of its tile, by lane of a part of the vector
/// factor. Parts lie one behind the other.
template <int kParts, class Emit>
HWY_INLINE void multiply_and_transform(Index channels, const float* HWY_RESTRICT vector,
                                       const float* HWY_RESTRICT scalars, const Emit& emit) {
  const Tag d;
  HWY_ALIGN float rows[few_scalars][few_tile][few_side][kParts * lanes];
  HWY_UNROLL(1)
  for (int part = 0; part < kParts * few_side; ++part) {
    const int j = part / kParts, l = part % kParts * lanes;
    Vector sum[few_scalars][few_side];
    HWY_UNROLL(4)
    for (int s = 0; s < few_scalars; ++s) {
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) sum[s][i] = hn::Zero(d);
    }
    const float* HWY_RESTRICT from = vector + j * few_lanes + l;
    const float* HWY_RESTRICT values = scalars + j * few_lanes;
    HWY_UNROLL(1)
    for (Index c = 0; c < channels; ++c, from += few_floats, values += few_floats) {
      HWY_UNROLL(6)
      for (int i = 0; i < few_side; ++i) {
        auto lane = hn::Load(d, from + i * few_side * few_lanes);
        keep_in_register(lane);
        HWY_UNROLL(4)
        for (int s = 0; s < few_scalars; ++s) {
          sum[s][i] = hn::MulAdd(hn::Set(d, values[i * few_side * few_lanes + s]), lane, sum[s][i]);
        }
      }
    }
    HWY_UNROLL(4)
    for (int s = 0; s < few_scalars; ++s) {
      Vector out[few_tile];
      output_1d(sum[s], out);
      HWY_UNROLL(4)
      for (int i = 0; i < few_tile; ++i) hn::Store(out[i], d, rows[s][i][j] + l);
    }
  }
  for (int s = 0; s < few_scalars; ++s) {
    for (int i = 0; i < few_tile; ++i) {
      for (int part = 0; part < kParts; ++part) {
        Vector in[few_side], out[few_tile];
        HWY_UNROLL(6)
        for (int j = 0; j < few_side; ++j) in[j] = hn::Load(d, rows[s][i][j] + part * lanes);
        output_1d(in, out);
        emit(s, i, part, out);
      }
    }
  }
}

/// The outputs of a run and sixteen filters in a block of channels, a whole line of the caches at a time.
template <bool kStream>
HWY_NOINLINE void run_to_block(const Geometry& g, const TileRun& run, const float* v, const float* u, Index block,
                               float* output) {
  const Tag d;
  constexpr int parts = static_cast<int>(channel_block) / lanes;
  const Index row_floats = g.out_w * channel_block, height = std::min(few_tile, g.out_h - run.y0);
  float* const to = output + (((run.image * g.k_blocks + block) * g.out_h + run.y0) * g.out_w + run.x0) * channel_block;
  for (Index t = 0; t < run.tiles; t += few_scalars) {
    multiply_and_transform<parts>(g.c, u, v + t,
                                  [&](Index s, Index i, Index part, const Vector(&out)[few_tile]) HWY_ATTR {
                                    if (i >= height || t + s >= run.tiles) return;
                                    const Index x = (t + s) * few_tile, left = g.out_w - run.x0 - x;
                                    float* const pixels = to + i * row_floats + x * channel_block;
                                    HWY_UNROLL(4)
                                    for (Index j = 0; j < few_tile; ++j) {
                                      if (j >= left) break;
                                      if (kStream) {
                                        hn::Stream(out[j], d, pixels + j * channel_block + part * lanes);
                                      } else {
                                        hn::Store(out[j], d, pixels + j * channel_block + part * lanes);
                                      }
                                    }
                                  });
  }
}

/// The outputs of a run and up to sixteen filters in planes, the first of them at `planes`. kStream: rows are whole
/// lines.
template <bool kStream>
HWY_NOINLINE void run_to_planes(const Geometry& g, const TileRun& run, const float* v, const float* u, Index filters,
                                float* planes) {
  const Tag d;
  constexpr Index most = few_tile * lanes;
  const Index height = std::min(few_tile, g.out_h - run.y0);
  for (Index t = 0; t < run.tiles; t += lanes) {
    const Index x = run.x0 + t * few_tile, width = std::min({most, g.out_w - x, (run.tiles - t) * few_tile});
    for (Index k = 0; k < filters; k += few_scalars) {
      multiply_and_transform<1>(g.c, v + t, u + k, [&](Index s, Index i, Index, const Vector(&out)[few_tile]) HWY_ATTR {
        if (i >= height || k + s >= filters) return;
        float* const to = planes + ((k + s) * g.out_h + run.y0 + i) * g.out_w + x;
        if (!kStream && width == most) {
          hn::StoreInterleaved4(out[0], out[1], out[2], out[3], d, to);
          return;
        }
        HWY_ALIGN float pixels[most];
        hn::StoreInterleaved4(out[0], out[1], out[2], out[3], d, pixels);
        if (kStream && width % lanes == 0) {
          for (Index j = 0; j < width; j += lanes) hn::Stream(hn::Load(d, pixels + j), d, to + j);
        } else {
          std::copy(pixels, pixels + width, to);
        }
      });
    }
  }
}

inline void run_few_channels(const Job& job, const Arrays& arrays, int thread, int threads) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const Index runs_x = ceil_div(t.tiles_x, run_tiles), items = g.n * t.tiles_y * runs_x;
  const bool whole_lines = g.out_w % line_floats == 0 && reinterpret_cast<std::uintptr_t>(arrays.output) % 64 == 0;
  const bool stream = job.stream_output && (g.blocked_output || whole_lines);
  float* const v = arrays.scratch + thread * job.scratch_floats_per_thread;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    const Index row = item / runs_x, first = item % runs_x * run_tiles;
    const TileRun run{row / t.tiles_y, row % t.tiles_y * few_tile, first * few_tile,
                      std::min(run_tiles, t.tiles_x - first)};
    transform_run(g, arrays.image, run, v);
    for (Index block = 0; block < g.k_blocks; ++block) {
      const Index k = block * channel_block;
      const float* const u = arrays.filter + block * g.c * few_floats;
      const Index filters = std::min(channel_block, g.k - k);
      float* const planes = arrays.output + (run.image * g.k + k) * g.out_h * g.out_w;  // of NCHW
      if (g.blocked_output && stream) {
        run_to_block<true>(g, run, v, u, block, arrays.output);
      } else if (g.blocked_output) {
        run_to_block<false>(g, run, v, u, block, arrays.output);
      } else if (stream) {
        run_to_planes<true>(g, run, v, u, filters, planes);
      } else {
        run_to_planes<false>(g, run, v, u, filters, planes);
      }
    }
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
