#include "bias.hpp"

#include "output_rows.hpp"

namespace rooftop::conv::internal {

void add_bias(const Geometry& g, const float* bias, float* output, int thread, int threads) {
  for_each_output_row(g, thread, threads, [&](Index, Index k, Index, Row row) {
    float* const pixels = output + row.first;
    const float number = bias[k];
    if (row.stride == 1) {  // a loop of its own, which compilers vectorise
      for (Index x = 0; x < g.out_w; ++x) pixels[x] += number;
    } else {
      for (Index x = 0; x < g.out_w; ++x) pixels[x * row.stride] += number;
    }
  });
}

}  // namespace rooftop::conv::internal
