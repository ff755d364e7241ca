#include "data.hpp"

namespace winograd {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

float uniform(std::uint64_t z) { return static_cast<float>(mix(z) >> 40U) * 0x1p-23F - 1.0F; }

}  // namespace

std::uint64_t stream_of(std::uint64_t seed, std::uint64_t index) { return mix(seed ^ mix(index)); }

void fill_random(float* out, std::size_t count, std::uint64_t stream) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) out[i] = uniform(stream + i);
}

void fill_structured(float* out, int planes, int channels, int height, int width, std::uint64_t stream) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int n = 0; n < planes; ++n) {
    for (int c = 0; c < channels; ++c) {
      // Slopes that differ by plane and channel: |level| + |slopes| + |signature| < 1.
      const std::uint64_t id = stream + 4 * (static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(channels) +
                                             static_cast<std::uint64_t>(c));
      const float level = 0.3F * uniform(id);
      const float slope_y = 0.3F * uniform(id + 1) / static_cast<float>(height);
      const float slope_x = 0.3F * uniform(id + 2) / static_cast<float>(width);
      float* plane =
          out + (static_cast<std::size_t>(n) * static_cast<std::size_t>(channels) + static_cast<std::size_t>(c)) *
                    static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          // 3, 5 and 7 are prime to each other: no shift below 11 pixels maps the signature to itself.
          const float signature = 0.008F * static_cast<float>((3 * y + 5 * x + 7 * c) % 11);
          plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
              level + slope_y * static_cast<float>(y) + slope_x * static_cast<float>(x) + signature;
        }
      }
    }
  }
}

}  // namespace winograd
