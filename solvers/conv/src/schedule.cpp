#include "schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "points.hpp"

namespace rooftop::conv::internal {
namespace {

constexpr Index largest_size = Index{1} << 24;                   // of any one dimension
constexpr double largest_array_floats = double(Index{1} << 44);  // far beyond any memory, far below overflow

void check_size(const char* name, std::int64_t value, std::int64_t least) {
  if (value < least || value > largest_size) {
    throw InvalidArgument(std::string(name) + " is " + std::to_string(value) + ", expected " + std::to_string(least) +
                          " to " + std::to_string(largest_size));
  }
}

void check_array(const char* name, double floats) {
  if (floats > largest_array_floats) {
    throw InvalidArgument(std::string("the ") + name + " would have " + std::to_string(floats) +
                          " floats, more than can be addressed");
  }
}

// What a transform computes: multiply-adds, and additions and multiplications that are alone.
struct Operations {
  double multiply_adds = 0, lone = 0;
};

constexpr Operations operator+(const Operations& a, const Operations& b) {
  return {a.multiply_adds + b.multiply_adds, a.lone + b.lone};
}
constexpr Operations operator*(double times, const Operations& each) {
  return {times * each.multiply_adds, times * each.lone};
}

// One 1-D transform of a tile of F(m) that has `size` outputs, as transform-inl.hpp has it: to the transformed input,
// and back.
constexpr Operations input_operations(int m, int size) {
  if (size < m) return size == 2 ? Operations{4, 2} : Operations{12, 3};
  return m == 2 ? Operations{0, 4} : m == 4 ? Operations{10, 2} : Operations{22, 2};
}
constexpr Operations output_operations(int m, int size) {
  if (size < m) return size == 2 ? Operations{2, 2} : Operations{8, 4};
  return m == 2 ? Operations{0, 4} : m == 4 ? Operations{6, 4} : Operations{10, 15};
}

// One 1-D transform of a filter's three taps.
constexpr Operations filter_operations(int m) { return {0.5 * m, 1 + 2.0 * m}; }

// The sum of a quantity over the tiles along one side.
template <class Quantity>
auto over_tiles(Index tiles, int m, int last, const Quantity& quantity) {
  return double(tiles - 1) * quantity(m) + 1.0 * quantity(last);
}

// Rows of the transforms of all tiles along a side.
double rows_of_transforms(const Tiling& t, Index tiles, int last) { return double((tiles - 1) * t.a + last + 2); }

// All transforms of a run.
Operations transform_operations(const Job& job) {
  const Tiling& t = job.tiling;
  if (t.m == 0) return {};
  const Geometry& g = job.geometry;
  const auto down = [&](const auto& quantity) { return over_tiles(t.tiles_y, t.m, t.last_h, quantity); };
  const auto across = [&](const auto& quantity) { return over_tiles(t.tiles_x, t.m, t.last_w, quantity); };
  const auto outputs = [](int size) { return double(size); };
  const auto input = [&](int size) { return input_operations(t.m, size); };
  const auto output = [&](int size) { return output_operations(t.m, size); };
  const double height = rows_of_transforms(t, t.tiles_y, t.last_h), width = rows_of_transforms(t, t.tiles_x, t.last_w);
  // Channels are vectors in blocks of channels, filled up with zeros, but not where tiles are the vectors.
  const double c = t.in_registers ? double(g.c) / channel_block : double(g.c_blocks);
  const Operations in = c * (width * down(input) + height * across(input));
  const Operations out = double(g.k_blocks) * (width * down(output) + down(outputs) * across(output));
  const double filters = g.plain_filter ? (3 + t.a) * double(g.c) * double(g.k_blocks) : 0;
  return double(channel_block) * (double(g.n) * (in + out) + filters * filter_operations(t.m));
}

/// Rows of the transforms of F(m) that tiles of this size have, as bits.
std::uint32_t transform_rows(int m, int size) {
  if (size == m) return (1U << (m + 2)) - 1;
  if (m == 4) return rows_mask<4, 2>();
  return size == 2 ? rows_mask<6, 2>() : rows_mask<6, 4>();
}

}  // namespace

bool streamable(const Geometry& g, int m) {
  return g.blocked_output || in_registers(g, m) || g.out_h * g.out_w % line_floats == 0;
}

bool in_registers(const Geometry& g, int m) { return m == in_registers_m && g.c <= few_channels; }

void check_sizes(std::int64_t n, std::int64_t channels, std::int64_t h, std::int64_t w) {
  check_size("n", n, 0);
  check_size("channels", channels, 0);
  check_size("h", h, 0);
  check_size("w", w, 0);
  check_array("array", double(n) * double(channels) * double(h) * double(w));
}

Geometry make_geometry(const Shape& s, const Options& options) {
  if (s.padding != 0 && s.padding != 1) {
    throw InvalidArgument("padding is " + std::to_string(s.padding) + ", expected 0 or 1");
  }
  check_size("n", s.n, 1);
  check_size("c", s.c, 1);
  check_size("k", s.k, 1);
  check_size("h", s.h, 3 - 2 * s.padding);
  check_size("w", s.w, 3 - 2 * s.padding);
  const Index c_blocks = ceil_div(s.c, channel_block), k_blocks = ceil_div(s.k, channel_block);
  const double block = channel_block;
  check_array("image", double(s.n) * double(c_blocks) * block * double(s.h) * double(s.w));
  check_array("output", double(s.n) * double(k_blocks) * block * double(s.out_h()) * double(s.out_w()));
  check_array("filter", 64.0 * double(s.c) * double(k_blocks) * block);
  return {s.n,
          s.c,
          s.h,
          s.w,
          s.k,
          s.padding,
          s.out_h(),
          s.out_w(),
          c_blocks,
          k_blocks,
          options.input == Layout::blocked,
          options.output == Layout::blocked,
          options.filter == FilterForm::plain};
}

Job make_job(const Geometry& g, const Schedule& schedule, Index panel) {
  Job job{};
  job.geometry = g;
  job.stream_output = schedule.stream && streamable(g, schedule.m);
  const Index filters = g.k_blocks * channel_block;
  if (schedule.m == 0) {
    const Index padded_w = g.w + 2 * g.padding;
    job.row_blocks.pixel_floats = g.c <= few_channels ? g.c : channel_block;
    const Index row_floats = g.c_blocks * padded_w * job.row_blocks.pixel_floats;
    constexpr Index packed_floats = 96 * 1024;  // packed rows share the L2 cache with a panel of the filter
    // The larger of filter and image is read once: by panel, each thread packs every row; by row, each reads all
    // panels.
    job.row_blocks.by_panel = 9 * g.k_blocks * channel_block > g.h * g.w;
    const Index blocks_wanted = job.row_blocks.by_panel ? 1 : ceil_div(Index{schedule.threads}, g.n);
    const Index rows = std::clamp<Index>(std::min(packed_floats / row_floats - 2, g.out_h / blocks_wanted), 1, g.out_h);
    job.row_blocks.rows = rows;
    job.row_blocks.blocks_y = ceil_div(g.out_h, rows);
    job.filter_floats = 9 * g.c * filters;
    job.scratch_floats_filter = g.plain_filter ? spread_stride(job.filter_floats) : 0;
    job.scratch_floats_per_thread = apart_floats + spread_stride((rows + 2) * row_floats + rows * g.out_w * panel);
    return job;
  }
  Tiling& t = job.tiling;
  t.m = schedule.m;
  t.a = schedule.m + 2;
  t.tiles_y = ceil_div(g.out_h, t.m);
  t.tiles_x = ceil_div(g.out_w, t.m);
  t.tiles = g.n * t.tiles_y * t.tiles_x;
  t.in_registers = in_registers(g, t.m);
  t.last_h = t.in_registers ? t.m : last_tile(g.out_h, t.m);
  t.last_w = t.in_registers ? t.m : last_tile(g.out_w, t.m);
  t.last_h_rows = transform_rows(t.m, t.last_h);
  t.last_w_rows = transform_rows(t.m, t.last_w);
  t.block_tiles = std::clamp<Index>(schedule.block_tiles, 1, t.tiles);
  t.sharing = schedule.sharing;
  t.fused_filter = schedule.fused_filter;
  const Index positions = Index{t.a} * t.a;
  // Panels of the filter, the last of which may be narrower.
  job.filter_floats = positions * (filters / panel * spread_stride(g.c * panel) +
                                   (filters % panel != 0 ? spread_stride(g.c * (filters % panel)) : 0));
  if (t.in_registers) job.filter_floats = positions * g.c * filters;
  if (g.plain_filter && !t.fused_filter) job.scratch_floats_filter = spread_stride(job.filter_floats);
  if (t.in_registers) {
    const bool wait = job.stream_output && !g.blocked_output;
    const Index runs = wait ? waiting_runs : 1;
    job.scratch_floats_per_thread =
        apart_floats + spread_stride(positions * g.c * run_tiles * runs) + (wait ? waiting_floats : 0);
    return job;
  }
  t.v_stride = spread_stride(g.c_blocks * channel_block * t.block_tiles);
  t.m_stride = spread_stride(std::min(panel, filters) * t.block_tiles);
  (t.sharing == Sharing::blocks ? job.scratch_floats_shared : job.scratch_floats_per_thread) = positions * t.v_stride;
  job.scratch_floats_per_thread += positions * t.m_stride + apart_floats;
  const Index width = std::min(panel, filters);
  const Index row_tiles = std::min(t.tiles_x, t.block_tiles);
  job.packed_row_floats = g.blocked_input ? 0 : spread_stride((row_tiles * t.m + 2) * channel_block);
  job.unpacked_row_floats = g.blocked_output ? 0 : std::min(row_tiles * t.m, g.out_w) * channel_block;
  job.scratch_floats_per_thread += std::max(t.a * job.packed_row_floats, t.m * job.unpacked_row_floats);
  if (t.fused_filter) {
    t.u_stride = spread_stride(std::min(chunk_channels, g.c_blocks * channel_block) * width);
    job.scratch_floats_per_thread += positions * t.u_stride;
  }
  return job;
}

std::size_t image_floats(const Geometry& g) {
  return static_cast<std::size_t>(g.n * (g.blocked_input ? g.c_blocks * channel_block : g.c) * g.h * g.w);
}

std::size_t output_floats(const Geometry& g) {
  return static_cast<std::size_t>(g.n * (g.blocked_output ? g.k_blocks * channel_block : g.k) * g.out_h * g.out_w);
}

std::size_t filter_floats(const Job& job) {
  const Geometry& g = job.geometry;
  return static_cast<std::size_t>(g.plain_filter ? g.k * g.c * 9 : job.filter_floats);
}

std::size_t scratch_floats(const Job& job, int threads) {
  return static_cast<std::size_t>(job.scratch_floats_filter + job.scratch_floats_shared +
                                  threads * job.scratch_floats_per_thread);
}

double multiply_add_flops(const Job& job) {
  const Geometry& g = job.geometry;
  const Tiling& t = job.tiling;
  const double products = t.m == 0
                              ? 9 * double(g.out_h * g.out_w)
                              : rows_of_transforms(t, t.tiles_y, t.last_h) * rows_of_transforms(t, t.tiles_x, t.last_w);
  return 2 * (products * double(g.n) * double(g.c) * double(g.k_blocks * channel_block) +
              transform_operations(job).multiply_adds);
}

double transform_flops(const Job& job) { return transform_operations(job).lone; }

}  // namespace rooftop::conv::internal
