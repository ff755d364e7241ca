// The cost model that chooses an algorithm and its blocks. Costs are in processor cycles of one thread; the constants
// were fitted to AVX-512 and hold the proportions of product, transforms and filter traffic, which is all that a
// choice needs.
#include <algorithm>
#include <cmath>

#include "schedule.hpp"

namespace rooftop::conv::internal {
namespace {

constexpr double product_efficiency = 0.85;   // of two multiply-adds a cycle
constexpr double input_line_cycles = 8;       // per line of V written: L2 traffic, not arithmetic
constexpr double output_line_cycles = 4;      // per line of M read: the same
constexpr double packing_pixel_cycles = 7;    // per pixel of 16 channels turned from or to NCHW
constexpr double filter_bytes_per_cycle = 6;  // per thread, for a transformed filter that does not stay in L2
constexpr double filter_line_cycles = 20;     // per line of a transformed filter written to memory
constexpr double fused_line_cycles = 6;       // the same, to the L2 cache
constexpr double output_bytes_per_cycle = 5;  // per thread, for an output that leaves the caches
constexpr double shared_line_factor = 5;      // a V that another core wrote, which may have an L3 of its own
constexpr double barrier_cycles = 6000;       // two barriers and a team that wakes up
constexpr double team_cycles = 20000;         // below this a second thread does not pay
constexpr Index resident_bytes = 1 << 20;     // of a filter or an output that stays in L2 beside a block's arrays

double filter_bytes(const Geometry& g, int m) {
  const double positions = m == 0 ? 9 : (m + 2) * (m + 2);
  return 4 * positions * double(g.c) * double(g.k_blocks * channel_block);
}

/// Cycles of transforming a plain filter, or of putting its taps in order for the direct method.
double filter_cycles(const Geometry& g, int m, int threads) {
  const double lines = filter_bytes(g, m) / 64 / threads;
  return !g.plain_filter ? 0 : lines * (filter_bytes(g, m) > resident_bytes ? filter_line_cycles : fused_line_cycles);
}

/// Cycles of one pass over the transformed filter that the product cannot hide, or the product itself, whichever is
/// longer.
double product_cycles(double flops, double filter_pass_bytes, double passes, int lanes) {
  const double arithmetic = flops / (4 * lanes * product_efficiency);
  const double traffic = filter_pass_bytes > resident_bytes ? passes * filter_pass_bytes / filter_bytes_per_cycle : 0;
  return std::max(arithmetic, traffic) + 0.25 * std::min(arithmetic, traffic);
}

/// Cycles of writing the output to memory: beside the product for the direct method, after it for the others.
double output_cycles(const Geometry& g, int threads) {
  const double bytes = 4 * double(output_floats(g));
  return bytes > resident_bytes ? bytes / threads / output_bytes_per_cycle : 0;
}

double direct_cycles(const Geometry& g, int threads, const Kernels& kernels) {
  const double filters = double(g.k_blocks * channel_block), pixels = double(g.n * g.out_h * g.out_w);
  const bool by_panel = 9 * filters > double(g.h * g.w);
  const double packed = double(g.n * g.h * g.w * g.c_blocks) * (by_panel ? 1.0 : 1.0 / threads);
  const double flops = 18 * double(g.c) * filters * pixels / threads;
  const double unpacked = g.blocked_output ? 0 : pixels * double(g.k_blocks) / threads;
  const double product = product_cycles(flops, filter_bytes(g, 0) / (by_panel ? threads : 1), 1, kernels.lanes);
  return filter_cycles(g, 0, threads) + std::max(product, output_cycles(g, threads)) +
         packing_pixel_cycles * (packed * (g.blocked_input ? 0.5 : 1) + 3 * unpacked);
}

/// Of F(m) in registers: products and output transforms of vectors of filters, beside the stores of the output.
double in_registers_cycles(const Geometry& g, int threads, const Kernels& kernels) {
  constexpr double output_transform = 100;  // instructions of a tile
  constexpr double input_tile_cycles = 20;  // of a channel
  const double tiles = double(g.n * ceil_div(g.out_h, in_registers_m) * ceil_div(g.out_w, in_registers_m)) / threads;
  const double vectors = double(g.k_blocks * channel_block / kernels.lanes);
  const double products = double(g.c) * (in_registers_m + 2) * (in_registers_m + 2);
  const double arithmetic = tiles * vectors * (products + output_transform) / (2 * product_efficiency);
  return filter_cycles(g, in_registers_m, threads) + tiles * double(g.c) * input_tile_cycles +
         std::max(arithmetic, output_cycles(g, threads));
}

double winograd_cycles(const Geometry& g, const Schedule& s, const Kernels& kernels) {
  const double filters = double(g.k_blocks * channel_block);
  const double products = double(g.n * transform_length(g.out_h, s.m) * transform_length(g.out_w, s.m)) / s.threads;
  const double tiles = double(g.n * ceil_div(g.out_h, s.m) * ceil_div(g.out_w, s.m));
  const bool all_panels = s.sharing == Sharing::tiles, together = s.sharing == Sharing::blocks;
  const double blocks = std::max(1.0, tiles / double(s.block_tiles) / (all_panels ? s.threads : 1));
  const double share = tiles / s.threads;
  // Whole panels are shared out, of which the last may be narrower.
  const double panel_count = double(ceil_div(Index(filters), kernels.panel)),
               panels_filters = panel_count * double(kernels.panel);
  const double uneven = all_panels ? 1 : std::min(double(s.threads), panels_filters / filters);
  const double filter_pass = s.fused_filter ? 0 : filter_bytes(g, s.m) / (all_panels ? 1 : s.threads);
  const double filter =
      s.fused_filter ? fused_line_cycles * filter_bytes(g, s.m) / 64 * std::ceil(panel_count / s.threads) / panel_count
                     : filter_cycles(g, s.m, s.threads);
  const double product =
      filter + product_cycles(2 * products * uneven * double(g.c) * filters, filter_pass, blocks, kernels.lanes);
  const double transformed = together ? shared_line_factor : all_panels ? 1 : s.threads;
  const double transforms =
      products * (input_line_cycles * transformed * double(g.c_blocks) + output_line_cycles * double(g.k_blocks));
  const double packings = s.sharing == Sharing::panels ? s.threads : 1;
  const double packed = packings * share * s.m * s.m * (g.blocked_input ? 0.0 : 1.5 * double(g.c_blocks));
  const double unpacked = share * s.m * s.m * (g.blocked_output ? 0.0 : double(g.k_blocks));
  return product + transforms + output_cycles(g, s.threads) + packing_pixel_cycles * (packed + unpacked) +
         (together ? blocks * barrier_cycles : 0);
}

/// How many tiles, some of them smaller at the edges, have the transforms of as many whole ones.
Index with_edges(const Geometry& g, int m, Index whole_tiles) {
  const double whole = double(ceil_div(g.out_h, m) * ceil_div(g.out_w, m)) * (m + 2) * (m + 2);
  return Index(double(whole_tiles) * whole / double(transform_length(g.out_h, m) * transform_length(g.out_w, m)));
}

/// Tiles per block of one thread: the fastest measured from 64 to 512 channels, where the tiles amortise the pass over
/// the filter; a multiple of the product's six rows.
Index own_tiles(const Geometry& g, int m) { return with_edges(g, m, m == 6 ? 48 : 72); }

/// Tiles whose M, of one panel, stays in the L2 cache beside the part of the filter that was just transformed.
constexpr Index fused_tiles = 144;

/// Tiles per block that the whole team shares: V may leave L2, since the filter is then read once for all.
Index shared_tiles(const Geometry& g, int m) {
  constexpr Index l3_floats = 5 * 512 * 1024;
  const Index floats_per_tile = Index{m + 2} * (m + 2) * g.c_blocks * channel_block;
  return with_edges(g, m, std::clamp<Index>(l3_floats / floats_per_tile, 48, 128));
}

/// Whether the output would only push a block's arrays out of the caches. A smaller one stays for its reader.
bool leaves_the_caches(const Geometry& g) {
  constexpr std::size_t streamed_floats = 1 << 20;
  return output_floats(g) >= streamed_floats;
}

bool cheaper(const Estimate& a, const Estimate& b) { return a.cycles < b.cycles; }

/// The schedules of `estimates`, with outputs through the caches.
std::vector<Estimate> ways(const Geometry& g, int m, int threads, const Kernels& kernels) {
  if (m == 0) {
    const double alone = direct_cycles(g, 1, kernels);
    if (threads == 1 || alone < team_cycles) return {{{0, 0, Sharing::tiles, 1}, alone}};
    return {{{0, 0, Sharing::tiles, threads}, direct_cycles(g, threads, kernels)}};
  }
  if (in_registers(g, m)) {
    const double alone = in_registers_cycles(g, 1, kernels);
    const int team = alone < team_cycles ? 1 : threads;
    return {{{m, run_tiles, Sharing::tiles, team}, in_registers_cycles(g, team, kernels)}};
  }
  std::vector<Estimate> found;
  const auto consider = [&](const Schedule& s) { found.push_back({s, winograd_cycles(g, s, kernels)}); };
  const Index tiles = g.n * ceil_div(g.out_h, m) * ceil_div(g.out_w, m);
  // Where one block holds all tiles, each panel of a plain filter is used once, straight after its transform.
  const bool fusible = g.plain_filter && tiles <= with_edges(g, m, fused_tiles);
  consider({m, std::min(own_tiles(g, m), tiles), Sharing::tiles, 1});
  if (fusible) consider({m, tiles, Sharing::tiles, 1, true});
  const bool small = std::any_of(found.begin(), found.end(), [](const Estimate& e) { return e.cycles < team_cycles; });
  if (threads == 1 || small) return found;
  found.clear();
  consider({m, std::min(own_tiles(g, m), ceil_div(tiles, threads)), Sharing::tiles, threads});
  consider({m, std::min(own_tiles(g, m), tiles), Sharing::panels, threads});
  if (fusible) consider({m, tiles, Sharing::panels, threads, true});
  // Blocks made together are considered only where much is expected of them: timed while the cores share a cache, they
  // would be chosen for a hundredth, and cost half as much again where they do not.
  const double best = std::min_element(found.begin(), found.end(), cheaper)->cycles;
  for (const bool fused : {false, true}) {
    const Schedule together{m, std::min(fused ? tiles : shared_tiles(g, m), tiles), Sharing::blocks, threads, fused};
    if ((!fused || fusible) && winograd_cycles(g, together, kernels) < best) consider(together);
  }
  return found;
}

}  // namespace

std::vector<int> allowed_algorithms(const Options& options) {
  switch (options.algorithm) {
    case Algorithm::direct:
      return {0};
    case Algorithm::f2:
      return {2};
    case Algorithm::f4:
      return {4};
    case Algorithm::f6:
      return {6};
    case Algorithm::automatic:
      break;
  }
  switch (options.accuracy) {
    case Accuracy::strict:
      return {0, 2};
    case Accuracy::balanced:
      return {0, 2, 4};
    case Accuracy::relaxed:
      break;
  }
  return {0, 2, 4, 6};
}

std::vector<Estimate> estimates(const Geometry& g, int m, int threads, const Kernels& kernels) {
  std::vector<Estimate> found = ways(g, m, threads, kernels);
  for (Estimate& estimate : found) estimate.schedule.stream = leaves_the_caches(g);
  return found;
}

std::vector<Schedule> smaller_blocks(const Geometry& g, const Schedule& s, const Kernels& kernels, Index l2_bytes) {
  const bool own_blocks = s.sharing != Sharing::blocks && !s.fused_filter;
  if (s.m == 0 || in_registers(g, s.m) || !own_blocks) return {};
  constexpr Index rows = 6, fewest = 2 * rows;  // of the product; one call for a part of the filter waits for it
  const Index positions = Index{s.m + 2} * (s.m + 2), filters = g.k_blocks * channel_block;
  const Index lanes_of_tile = g.c_blocks * channel_block + std::min(Index{kernels.panel}, filters);  // of V, and of M
  const Index tile_bytes = Index{sizeof(float)} * positions * lanes_of_tile;
  const Index fitting = l2_bytes / 8 * 7 / tile_bytes;  // the filter and the image go through the rest
  const Index tiles = g.n * ceil_div(g.out_h, s.m) * ceil_div(g.out_w, s.m);
  const Index share = s.sharing == Sharing::tiles ? ceil_div(tiles, s.threads) : tiles;
  Index blocks = ceil_div(share, s.block_tiles);  // of equal size: some numbers of tiles make the same ones
  std::vector<Schedule> found;
  for (const Index whole_tiles : {fitting / rows * rows, fitting / 2 / rows * rows}) {
    if (whole_tiles < fewest) break;
    Schedule smaller = s;
    smaller.block_tiles = with_edges(g, s.m, whole_tiles);
    if (ceil_div(share, smaller.block_tiles) <= blocks) continue;
    blocks = ceil_div(share, smaller.block_tiles);
    found.push_back(smaller);
  }
  return found;
}

Schedule choose(const Geometry& g, const Options& options, int threads, const Kernels& kernels) {
  Estimate best;
  for (const int m : allowed_algorithms(options)) {
    for (const Estimate& candidate : estimates(g, m, threads, kernels)) {
      if (best.cycles == 0 || candidate.cycles < best.cycles) best = candidate;
    }
  }
  return best.schedule;
}

}  // namespace rooftop::conv::internal
