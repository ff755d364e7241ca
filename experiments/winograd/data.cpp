#include "data.hpp"

#include <cstddef>
#include <rooftop/random.hpp>

namespace winograd {

void fill_structured(std::span<float> out, int height, int width, std::uint64_t seed) {
  const rooftop::RandomStream random(seed);
  const std::size_t plane = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
#pragma omp parallel for schedule(static)
  for (std::size_t p = 0; p < out.size() / plane; ++p) {
    // |level| + |slopes| + |signature| < 1.
    const float level = 0.3F * random.uniform_float(3 * p);
    const float slope_y = 0.3F * random.uniform_float(3 * p + 1) / static_cast<float>(height);
    const float slope_x = 0.3F * random.uniform_float(3 * p + 2) / static_cast<float>(width);
    float* pixel = out.data() + p * plane;
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
      for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
        // 3, 5 and 7 are prime to 11: no shift below 11 pixels maps the signature to itself.
        const float signature = 0.008F * static_cast<float>((3 * y + 5 * x + 7 * p) % 11);
        *pixel++ = level + slope_y * static_cast<float>(y) + slope_x * static_cast<float>(x) + signature;
      }
    }
  }
}

}  // namespace winograd
