// The cost model that chooses an algorithm and its blocks.
#include <algorithm>
#include <limits>

#include "schedule.hpp"

namespace rooftop::conv::internal {

Schedule blocks_for(const Geometry& g, int m, int threads) {
  if (m == 0) return {};
  const Index a = m + 2;
  const Index tiles = g.n * ceil_div(g.out_h, m) * ceil_div(g.out_w, m);
  const Index floats_per_tile = a * a * (g.c_blocks + g.k_blocks) * channel_block;
  constexpr Index l2_floats = 384 * 1024;
  Schedule s{m, std::clamp<Index>(l2_floats / floats_per_tile / 2 * 2, 28, 256), false};
  if (tiles < 2 * s.block_tiles * threads) {
    s.cooperative = threads > 1;
    s.block_tiles = std::min<Index>(tiles, 256);
  }
  return s;
}

Schedule choose(const Geometry& g, const Options& options, int threads) {
  switch (options.algorithm) {
    case Algorithm::direct: return blocks_for(g, 0, threads);
    case Algorithm::f2: return blocks_for(g, 2, threads);
    case Algorithm::f4: return blocks_for(g, 4, threads);
    case Algorithm::f6: return blocks_for(g, 6, threads);
    case Algorithm::automatic: break;
  }
  return blocks_for(g, 4, threads);
}

}  // namespace rooftop::conv::internal
