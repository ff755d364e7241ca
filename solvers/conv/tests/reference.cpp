#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace rooftop::conv {
namespace {

/// `count` outputs of a row side by side, from x on. Their sums stay in registers; an output alone may lie at an edge.
template <std::int64_t count>
void sum_up(const Shape& shape, const float* image, const float* filter, std::int64_t y, std::int64_t x, double* out) {
  double sums[count] = {};
  for (std::int64_t c = 0; c < shape.c; ++c) {
    for (std::int64_t tap = 0; tap < 9; ++tap) {
      const std::int64_t from_y = y + tap / 3 - shape.padding, from_x = x + tap % 3 - shape.padding;
      if (from_y < 0 || from_y >= shape.h || (count == 1 && (from_x < 0 || from_x >= shape.w))) continue;
      const float* const in = image + (c * shape.h + from_y) * shape.w + from_x;
      const double weight = filter[c * 9 + tap];
      for (std::int64_t i = 0; i < count; ++i) sums[i] += weight * static_cast<double>(in[i]);
    }
  }
  std::copy_n(sums, count, out);
}

}  // namespace

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
      const float* const own_image = image.data() + n * shape.c * shape.h * shape.w;
      const float* const own_filter = filter.data() + k * shape.c * 9;
      double* out = output.data() + (n * shape.k + k) * out_h * out_w;
      for (std::int64_t y = 0; y < out_h; ++y, out += out_w) {
        constexpr std::int64_t together = 8;
        std::int64_t x = 0;
        while (x < out_w) {
          if (x >= shape.padding && x + together <= out_w - shape.padding) {
            sum_up<together>(shape, own_image, own_filter, y, x, out + x);
            x += together;
          } else {
            sum_up<1>(shape, own_image, own_filter, y, x, out + x);
            ++x;
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
