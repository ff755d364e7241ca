// F(4x4,3x3) of an image of few channels: a tile's product and output transform stay in registers and the L1 cache.
//
// Three input channels take 36 x 3 multiply-adds a tile and filter, fewer than V and M take loads and stores on their
// way through the L2 cache. Here nothing but pixels, the filter and outputs goes through it. Sixteen tiles of a row are
// transformed together; outputs in blocks of channels are then vectors of filters, and those in planes vectors of
// tiles. The products are those of few_products-inl.hpp.

#if defined(ROOFTOP_CONV_FEW_CHANNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_FEW_CHANNELS_INL
#undef ROOFTOP_CONV_FEW_CHANNELS_INL
#else
#define ROOFTOP_CONV_FEW_CHANNELS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "few_products-inl.hpp"
#include "pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

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

/// Four neighbouring pixels of each tile of a vector, in the order of tile_lane.
HWY_INLINE void load_tiles(const float* HWY_RESTRICT from, Vector (&pixels)[few_tile]) {
  HWY_UNROLL(4)
  for (Index i = 0; i < few_tile; ++i) pixels[i] = hn::LoadU(Tag(), from + i * lanes);
  transpose_blocks(Tag(), pixels);
}

/// v[channel][position][tile_lane(tile of the run)] = B^T pixels B
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
        Vector first[few_tile], next[few_tile], out[few_side];
        load_tiles(columns[i] + t * few_tile, first);
        load_tiles(columns[i] + (t + 1) * few_tile, next);
        const Vector in[few_side] = {first[0], first[1], first[2], first[3], next[0], next[1]};
        input_1d(in, out);
        HWY_UNROLL(6)
        for (int j = 0; j < few_side; ++j) {
          hn::Store(out[j], d, v + c * few_floats + (i * few_side + j) * few_lanes + t);
        }
      }
    }
  }
}

/// kStream: past the caches, to an aligned place.
template <bool kStream>
HWY_INLINE void store_output(Vector v, float* to) {
  if constexpr (kStream) {
    hn::Stream(v, Tag(), to);
  } else {
    hn::StoreU(v, Tag(), to);
  }
}

/// The outputs of a run and sixteen filters in a block of channels, a whole line of the caches at a time.
template <int kChannels, bool kStream>
HWY_NOINLINE void run_to_block(const Geometry& g, const TileRun& run, const float* v, const float* u, Index block,
                               float* output) {
  constexpr int parts = static_cast<int>(channel_block) / lanes;
  const Index row_floats = g.out_w * channel_block, height = std::min(few_tile, g.out_h - run.y0);
  float* const to = output + (((run.image * g.k_blocks + block) * g.out_h + run.y0) * g.out_w + run.x0) * channel_block;
  for (Index t = 0; t < run.tiles; t += few_scalars<kChannels>) {
    const auto emit = [&](Index s, Index i, Index part, const Vector(&out)[few_tile]) HWY_ATTR {
      if (i >= height || t + s >= run.tiles) return;
      const Index x = (t + s) * few_tile, left = g.out_w - run.x0 - x;
      float* const pixels = to + i * row_floats + x * channel_block + part * lanes;
      HWY_UNROLL(4)
      for (Index j = 0; j < few_tile; ++j) {
        if (j >= left) break;
        store_output<kStream>(out[j], pixels + j * channel_block);
      }
    };
    multiply_and_transform<kChannels, parts, true>(u, v + tile_lane(t), emit);
  }
}

/// Where the outputs of a run go: the first pixel of its first filter, and the floats between planes and rows.
struct Planes {
  float* first;
  Index plane, row;
};

/// The outputs of kParts vectors of tiles, from tile t of a run on, and up to sixteen filters in planes. kStream: rows
/// are whole lines.
template <int kChannels, bool kStream, int kParts>
HWY_NOINLINE void tiles_to_planes(const Geometry& g, const TileRun& run, Index t, const float* v, const float* u,
                                  Index filters, const Planes& planes) {
  const Tag d;
  constexpr Index most = few_tile * lanes;
  const Index height = std::min(few_tile, g.out_h - run.y0);
  const Index width = std::min(g.out_w - run.x0, run.tiles * few_tile) - t * few_tile;
  float* const corner = planes.first + t * few_tile;
  for (Index k = 0; k < filters; k += few_scalars<kChannels>) {
    const auto emit = [&](Index s, Index i, Index part, Vector(&out)[few_tile]) HWY_ATTR {
      if (i >= height || k + s >= filters) return;
      float* const to = corner + (k + s) * planes.plane + i * planes.row + part * most;
      const Index left = width - part * most;
      transpose_blocks(d, out);
      HWY_UNROLL(4)
      for (Index j = 0; j < few_tile; ++j) {
        if (left >= (j + 1) * lanes) {
          store_output<kStream>(out[j], to + j * lanes);
        } else if (left > j * lanes) {
          HWY_ALIGN float pixels[lanes];
          hn::Store(out[j], d, pixels);
          std::copy(pixels, pixels + (left - j * lanes), to + j * lanes);
        }
      }
    };
    multiply_and_transform<kChannels, kParts, false>(v + t, u + k, emit);
  }
}

template <int kChannels, bool kStream>
HWY_INLINE void run_to_planes(const Geometry& g, const TileRun& run, const float* v, const float* u, Index filters,
                              const Planes& planes) {
  Index t = 0;
  if constexpr (2 * lanes <= run_tiles) {
    for (; t + lanes < run.tiles; t += 2 * lanes)
      tiles_to_planes<kChannels, kStream, 2>(g, run, t, v, u, filters, planes);
  }
  for (; t < run.tiles; t += lanes) tiles_to_planes<kChannels, kStream, 1>(g, run, t, v, u, filters, planes);
}

/// Copies past the caches what fills whole lines, and the rest through them.
HWY_INLINE void copy_past_caches(const float* HWY_RESTRICT from, Index floats, float* HWY_RESTRICT to) {
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  const Index past_line = static_cast<Index>(address / sizeof(float)) % line_floats;
  Index x = address % sizeof(float) == 0 ? std::min((line_floats - past_line) % line_floats, floats) : floats;
  std::copy(from, from + x, to);
  for (; x + line_floats <= floats; x += line_floats) {
    HWY_UNROLL(4)
    for (Index l = 0; l < line_floats; l += lanes) hn::Stream(hn::LoadU(Tag(), from + x + l), Tag(), to + x + l);
  }
  std::copy(from + x, from + floats, to + x);
}

/// Runs side by side in a row of tiles, `tiles` in all.
struct TileRuns {
  TileRun first;
  Index count, tiles;

  [[nodiscard]] HWY_INLINE TileRun run(Index i) const {
    const Index tile = i * run_tiles;
    return {first.image, first.y0, first.x0 + tile * few_tile, std::min(run_tiles, tiles - tile)};
  }
};

/// The outputs of some runs where rows are no whole lines: they wait in the L1 cache, a few filters at a time, until
/// each plane is written in a long run, past the caches.
template <int kChannels>
HWY_NOINLINE void runs_past_caches(const Geometry& g, const TileRuns& runs, const float* v, const float* u,
                                   Index filters, float* planes, float* rows) {
  const Index height = std::min(few_tile, g.out_h - runs.first.y0);
  const Index width = std::min(g.out_w - runs.first.x0, runs.tiles * few_tile), plane = g.out_h * g.out_w;
  const bool whole = width == g.out_w;  // rows follow each other in the plane as they do here
  const Index pieces = whole ? 1 : height, floats = whole ? height * width : width;
  for (Index k = 0; k < filters; k += few_scalars<kChannels>) {
    const Index some = std::min<Index>(few_scalars<kChannels>, filters - k);
    for (Index i = 0; i < runs.count; ++i) {
      const Planes waiting{rows + i * run_tiles * few_tile, few_tile * width, width};
      run_to_planes<kChannels, false>(g, runs.run(i), v + i * kChannels * few_floats, u + k, some, waiting);
    }
    for (Index s = 0; s < some; ++s) {
      for (Index i = 0; i < pieces; ++i) {
        copy_past_caches(rows + (s * few_tile + i) * width, floats, planes + (k + s) * plane + i * g.out_w);
      }
    }
  }
}

template <int kChannels>
inline void run_few_channels_of(const Job& job, const Arrays& arrays, int thread, int threads) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const bool whole_lines = g.out_w % line_floats == 0 && reinterpret_cast<std::uintptr_t>(arrays.output) % 64 == 0;
  const bool stream = lanes > 1 && job.stream_output;  // scalar code does not write past the caches
  const bool waits = stream && !g.blocked_output && !whole_lines;
  // Fewer runs wait for each other where there are many threads.
  const Index most_tiles = waits && g.n * t.tiles_y >= 4 * threads ? waiting_runs * run_tiles : run_tiles;
  const Index runs_x = ceil_div(t.tiles_x, most_tiles), items = g.n * t.tiles_y * runs_x;
  float* const v = arrays.scratch + thread * job.scratch_floats_per_thread;
  float* const rows = v + waiting_runs * kChannels * few_floats;
  for (Index item = share(items, thread, threads); item < share(items, thread + 1, threads); ++item) {
    if (arrays.stopped()) return;
    const Index row = item / runs_x, first = item % runs_x * most_tiles;
    const Index tiles = std::min(most_tiles, t.tiles_x - first);
    const TileRuns runs{{row / t.tiles_y, row % t.tiles_y * few_tile, first * few_tile, std::min(run_tiles, tiles)},
                        ceil_div(tiles, run_tiles),
                        tiles};
    for (Index i = 0; i < runs.count; ++i) {
      transform_run(g, arrays.image, runs.run(i), v + i * kChannels * few_floats);
    }
    for (Index block = 0; block < g.k_blocks; ++block) {
      const Index k = block * channel_block;
      const float* const u = arrays.filter + block * g.c * few_floats;
      const Index filters = std::min(channel_block, g.k - k);
      float* const planes =
          arrays.output + ((runs.first.image * g.k + k) * g.out_h + runs.first.y0) * g.out_w + runs.first.x0;
      const auto write = [&](auto streams) HWY_ATTR {
        if (g.blocked_output) {
          run_to_block<kChannels, streams>(g, runs.first, v, u, block, arrays.output);
        } else {
          run_to_planes<kChannels, streams>(g, runs.first, v, u, filters, {planes, g.out_h * g.out_w, g.out_w});
        }
      };
      if constexpr (lanes > 1) {
        if (waits) {
          runs_past_caches<kChannels>(g, runs, v, u, filters, planes, rows);
          continue;
        }
        if (stream) {
          write(std::true_type());
          continue;
        }
      }
      write(std::false_type());
    }
  }
}

inline void run_few_channels(const Job& job, const Arrays& arrays, int thread, int threads) {
  static_assert(few_channels == 5);
  switch (job.geometry.c) {
    case 1:
      return run_few_channels_of<1>(job, arrays, thread, threads);
    case 2:
      return run_few_channels_of<2>(job, arrays, thread, threads);
    case 3:
      return run_few_channels_of<3>(job, arrays, thread, threads);
    case 4:
      return run_few_channels_of<4>(job, arrays, thread, threads);
    default:
      return run_few_channels_of<5>(job, arrays, thread, threads);
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
