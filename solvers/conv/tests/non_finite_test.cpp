/// Pixels and filters that are not finite, huge, or tiny: which outputs they reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

struct Free {
  void operator()(float* memory) const { std::free(memory); }
};
using Aligned = std::unique_ptr<float[], Free>;

Aligned aligned(std::size_t floats) {
  return Aligned(static_cast<float*>(std::aligned_alloc(64, (4 * floats + 64) / 64 * 64)));
}

/// The output as the plan writes it.
std::vector<float> convolved(const Shape& shape, const Options& options, const std::vector<float>& image,
                             const std::vector<float>& filter) {
  const Plan plan(shape, options);
  const Aligned in = aligned(plan.image_floats()), out = aligned(plan.output_floats()),
                taps = aligned(plan.filter_floats()), scratch = aligned(plan.scratch_bytes() / 4 + 1);
  if (options.input == Layout::blocked) {
    to_blocked(image.data(), in.get(), shape.n, shape.c, shape.h, shape.w, 1);
  } else {
    std::copy(image.begin(), image.end(), in.get());
  }
  if (options.filter == FilterForm::plain) {
    std::copy(filter.begin(), filter.end(), taps.get());
  } else {
    plan.transform_filter(filter.data(), taps.get());
  }
  plan.run(in.get(), taps.get(), out.get(), scratch.get());
  return {out.get(), out.get() + plan.output_floats()};
}

std::vector<float> in_nchw(const Shape& shape, const Options& options, const std::vector<float>& output) {
  if (options.output == Layout::nchw) return output;
  std::vector<float> values(static_cast<std::size_t>(shape.n * shape.k * shape.out_h() * shape.out_w()));
  from_blocked(output.data(), values.data(), shape.n, shape.k, shape.out_h(), shape.out_w(), 1);
  return values;
}

/// Outputs that are not what they are by the definition: infinite, NaN, or, within a tolerance, finite.
int wrong_outputs(const std::vector<float>& seen, const std::vector<double>& expected, double tolerance) {
  int wrong = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto value = static_cast<float>(expected[i]);
    const bool same = std::isnan(value)   ? std::isnan(seen[i])
                      : std::isinf(value) ? seen[i] == value
                                          : std::abs(static_cast<double>(seen[i]) - expected[i]) <= tolerance;
    wrong += same ? 0 : 1;
  }
  return wrong;
}

const Shape shapes[] = {{.n = 1, .c = 3, .h = 12, .w = 13, .k = 8, .padding = 1},
                        {.n = 2, .c = 20, .h = 10, .w = 30, .k = 33, .padding = 1},
                        {.n = 1, .c = 16, .h = 14, .w = 14, .k = 16, .padding = 0}};

std::vector<Options> every_way(Accuracy accuracy, Algorithm algorithm) {
  std::vector<Options> ways;
  for (const Layout layout : {Layout::nchw, Layout::blocked}) {
    for (const FilterForm form : {FilterForm::plain, FilterForm::transformed}) {
      for (const int threads : {1, 3}) {
        ways.push_back({.input = layout,
                        .output = layout,
                        .accuracy = accuracy,
                        .algorithm = algorithm,
                        .filter = form,
                        .threads = threads});
      }
    }
  }
  return ways;
}

TEST(NonFinite, IsExactWhereStrict) {
  for (const Shape& shape : shapes) {
    const Convolution data(shape);
    for (const float planted : {infinity, -infinity, nan, 3e38F}) {
      std::vector<float> image = data.image(), filter = data.filter();
      for (const std::size_t at : {std::size_t{5}, image.size() / 2, image.size() - 1}) image[at] = planted;
      const std::vector<double> expected = direct_double(shape, image, filter);
      for (const Options& options : every_way(Accuracy::strict, Algorithm::automatic)) {
        const auto seen = in_nchw(shape, options, convolved(shape, options, image, filter));
        // Beside a pixel of 3e38 the finite outputs of its tile are as wrong as the largest of them allows.
        EXPECT_EQ(wrong_outputs(seen, expected, planted == 3e38F ? 1e33 : 1e-4), 0)
            << to_string(shape) << ", " << to_string(options) << ", " << planted;
      }
    }
  }
}

TEST(NonFinite, IsExactForAFilterToo) {
  for (const Shape& shape : shapes) {
    const Convolution data(shape);
    std::vector<float> filter = data.filter();
    filter[4] = infinity;
    filter[filter.size() / 2] = nan;
    const std::vector<double> expected = direct_double(shape, data.image(), filter);
    for (const Options& options : every_way(Accuracy::strict, Algorithm::automatic)) {
      const auto seen = in_nchw(shape, options, convolved(shape, options, data.image(), filter));
      EXPECT_EQ(wrong_outputs(seen, expected, 1e-4), 0) << to_string(shape) << ", " << to_string(options);
    }
  }
}

TEST(NonFinite, StaysWherePixelsAreSummedDirectly) {
  for (const Shape& shape : shapes) {
    const Convolution data(shape);
    for (const float planted : {infinity, -infinity, nan, 1e6F, 1e-40F}) {
      std::vector<float> image = data.image();
      image[image.size() / 2] = planted;
      const std::vector<double> expected = direct_double(shape, image, data.filter());
      for (const Options& options : every_way(Accuracy::balanced, Algorithm::direct)) {
        const auto seen = in_nchw(shape, options, convolved(shape, options, image, data.filter()));
        EXPECT_EQ(wrong_outputs(seen, expected, planted == 1e6F ? 2 : 1e-4), 0)
            << to_string(shape) << ", " << to_string(options) << ", " << planted;
        // What does not depend on the pixel is what it is without it, to the last bit.
        const auto before = in_nchw(shape, options, convolved(shape, options, data.image(), data.filter()));
        for (std::size_t i = 0; i < seen.size(); ++i) {
          if (expected[i] == data.reference()[i]) {
            EXPECT_EQ(seen[i], before[i]);
          }
        }
      }
    }
  }
}

TEST(NonFinite, ReachesNoFillingChannel) {
  const Shape& shape = shapes[1];
  const Convolution data(shape);
  std::vector<float> image = data.image();
  image[image.size() / 3] = infinity;
  for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
    for (const Options& options : every_way(Accuracy::balanced, algorithm)) {
      if (options.output != Layout::blocked) continue;
      const std::vector<float> output = convolved(shape, options, image, data.filter());
      const auto pixels = static_cast<std::size_t>(shape.out_h() * shape.out_w());
      for (std::size_t i = 0; i < output.size(); ++i) {
        const std::size_t channel = i / pixels / channel_block % 3 * channel_block + i % channel_block;
        if (channel >= static_cast<std::size_t>(shape.k)) {
          EXPECT_EQ(output[i], 0) << to_string(options);
        }
      }
    }
  }
}

TEST(NonFinite, TinyPixelsAreNotLost) {
  for (const Shape& shape : shapes) {
    const Convolution data(shape);
    std::vector<float> image = data.image();
    for (float& pixel : image) pixel *= 1e-39F;  // most are denormal
    const std::vector<double> expected = direct_double(shape, image, data.filter());
    for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
      const Options options{.algorithm = algorithm, .filter = FilterForm::plain, .threads = 1};
      EXPECT_EQ(wrong_outputs(convolved(shape, options, image, data.filter()), expected, 1e-40), 0)
          << to_string(shape) << ", " << to_string(options);
    }
  }
}

}  // namespace
}  // namespace rooftop::conv
