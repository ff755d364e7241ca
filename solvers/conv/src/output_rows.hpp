/// Rows of an image or an output of either layout, and how a team shares them out.
#pragma once

#include "geometry.hpp"

namespace rooftop::conv::internal {

/// The first item of a thread's share.
constexpr Index share(Index items, Index thread, Index threads) { return items * thread / threads; }

/// Where the row of a channel begins, and how far apart its pixels lie.
struct Row {
  Index first, stride;
};

inline Row row_of(bool blocked, Index channels, Index h, Index w, Index n, Index channel, Index y) {
  if (!blocked) return {((n * channels + channel) * h + y) * w, 1};
  const Index blocks = ceil_div(channels, channel_block), block = channel / channel_block;
  return {(((n * blocks + block) * h + y) * w) * channel_block + channel % channel_block, channel_block};
}

/// Calls body(n, k, y, row) for each row of the outputs in a thread's share.
template <class Body>
void for_each_output_row(const Geometry& g, int thread, int threads, const Body& body) {
  const Index rows = g.n * g.k * g.out_h;
  for (Index item = share(rows, thread, threads); item < share(rows, thread + 1, threads); ++item) {
    const Index y = item % g.out_h, k = item / g.out_h % g.k, n = item / g.out_h / g.k;
    body(n, k, y, row_of(g.blocked_output, g.k, g.out_h, g.out_w, n, k, y));
  }
}

}  // namespace rooftop::conv::internal
