#include "exact_outputs.hpp"

#include <algorithm>
#include <cmath>

#include "output_rows.hpp"

namespace rooftop::conv::internal {
namespace {

/// Zeros around the image are no part of a sum, whatever the filter is there.
float sum_by_definition(const Geometry& g, const float* image, const float* filter, Index n, Index k, Index y,
                        Index x) {
  double sum = 0;
  for (Index c = 0; c < g.c && !std::isnan(sum); ++c) {
    const float* const taps = filter + (k * g.c + c) * 9;
    for (Index r = 0; r < 3; ++r) {
      const Index from_y = y + r - g.padding;
      if (from_y < 0 || from_y >= g.h) continue;
      const Row row = row_of(g.blocked_input, g.c, g.h, g.w, n, c, from_y);
      for (Index s = 0; s < 3; ++s) {
        const Index from_x = x + s - g.padding;
        if (from_x < 0 || from_x >= g.w) continue;
        sum += static_cast<double>(image[row.first + from_x * row.stride]) * static_cast<double>(taps[3 * r + s]);
      }
    }
  }
  return static_cast<float>(sum);
}

}  // namespace

void sum_anew_where_not_finite(const Geometry& g, const Arrays& arrays, int thread, int threads) {
  float* const output = arrays.output;
  for_each_output_row(g, thread, threads, [&](Index n, Index k, Index y, Row row) {
    // Finite values less themselves are 0, and others NaN: a sum that compilers vectorise.
    float finite = 0;
    for (Index x = 0; x < g.out_w; ++x) {
      const float value = output[row.first + x * row.stride];
      finite += value - value;  // NOLINT(misc-redundant-expression): NaN is not
    }
    if (finite == 0 || arrays.stopped()) return;
    for (Index x = 0; x < g.out_w; ++x) {
      float& value = output[row.first + x * row.stride];
      if (!std::isfinite(value)) value = sum_by_definition(g, arrays.image, arrays.filter, n, k, y, x);
    }
  });
}

void clear_filling_channels(const Geometry& g, float* output, int thread, int threads) {
  const Index used = g.k % channel_block, pixels = g.out_h * g.out_w;
  if (!g.blocked_output || used == 0) return;
  for (Index n = 0; n < g.n; ++n) {
    float* const last = output + ((n + 1) * g.k_blocks - 1) * pixels * channel_block;
    for (Index p = share(pixels, thread, threads); p < share(pixels, thread + 1, threads); ++p) {
      float* const filling = last + p * channel_block + used;
      // They are zero already but where pixels are not finite: most lines stay as they are.
      if (std::any_of(filling, last + (p + 1) * channel_block, [](float value) { return value != 0; })) {
        std::fill(filling, last + (p + 1) * channel_block, 0.0F);
      }
    }
  }
}

}  // namespace rooftop::conv::internal
