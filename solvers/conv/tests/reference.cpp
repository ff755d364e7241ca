#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace rooftop::conv {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(count);
  // 24 random bits fill a float's significand exactly; std::uniform_real_distribution differs between libraries.
  for (float& value : values) value = static_cast<float>(engine() >> 40U) * 0x1p-23F - 1.0F;
  return values;
}

std::vector<double> direct_double(const Shape& shape, std::span<const float> image, std::span<const float> filter) {
  const std::int64_t out_h = shape.out_h();
  const std::int64_t out_w = shape.out_w();
  std::vector<double> output(static_cast<std::size_t>(shape.n * shape.k * out_h * out_w), 0.0);
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (std::int64_t n = 0; n < shape.n; ++n) {
    for (std::int64_t k = 0; k < shape.k; ++k) {
      for (std::int64_t c = 0; c < shape.c; ++c) {
        for (std::int64_t tap = 0; tap < 9; ++tap) {
          const std::int64_t dy = tap / 3 - shape.padding;
          const std::int64_t dx = tap % 3 - shape.padding;
          const double weight = filter[static_cast<std::size_t>((k * shape.c + c) * 9 + tap)];
          const std::int64_t first = std::max<std::int64_t>(0, -dx);
          const std::int64_t last = std::min(out_w, shape.w - dx);
          for (std::int64_t y = std::max<std::int64_t>(0, -dy); y < std::min(out_h, shape.h - dy); ++y) {
            const float* in = image.data() + ((n * shape.c + c) * shape.h + y + dy) * shape.w + dx;
            double* out = output.data() + ((n * shape.k + k) * out_h + y) * out_w;
            for (std::int64_t x = first; x < last; ++x) out[x] += weight * static_cast<double>(in[x]);
          }
        }
      }
    }
  }
  return output;
}

double relative_error(const Shape& shape, std::span<const float> output, std::span<const double> reference) {
  double largest = std::sqrt(static_cast<double>(shape.c));
  double difference = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    largest = std::max(largest, std::abs(reference[i]));
    const double d = std::abs(static_cast<double>(output[i]) - reference[i]);
    if (!(d <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, d);
  }
  return difference / largest;
}

double tolerance(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::direct:
      return 3e-6;
    case Algorithm::f2:
      return 1.5e-6;
    case Algorithm::f4:
      return 4e-6;
    default:
      return 3e-5;
  }
}

}  // namespace rooftop::conv
