/// A bias: one number for each filter, added to what the run would have given, in every layout and on any team.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

GuardedArray filled(std::size_t count, const std::vector<float>& values) {
  GuardedArray array(count * sizeof(float));
  std::ranges::copy(values, array.floats().begin());
  return array;
}

/// The output of a plan that takes a plain filter and an NCHW image, in its layout.
std::vector<float> output_of(const Convolution& convolution, const Options& options, const float* bias) {
  const Plan plan(convolution.shape(), options);
  const GuardedArray scratch(plan.scratch_bytes()), output(plan.output_floats() * sizeof(float));
  const GuardedArray image = filled(plan.image_floats(), convolution.image());
  const GuardedArray filter = filled(plan.filter_floats(), convolution.filter());
  output.poison();
  plan.run(image.floats().data(), filter.floats().data(), output.floats().data(), scratch.data(), nullptr, bias);
  EXPECT_TRUE(output.intact() && scratch.intact());
  return {output.floats().begin(), output.floats().end()};
}

/// The filter that an output belongs to; k or more for the channels that fill the last block.
std::size_t filter_of(const Shape& shape, Layout layout, std::size_t at) {
  const auto pixels = static_cast<std::size_t>(shape.out_h() * shape.out_w());
  const auto filters = static_cast<std::size_t>(shape.k);
  if (layout == Layout::nchw) return at / pixels % filters;
  const std::size_t block = channel_block, blocks = (filters + block - 1) / block;
  return at / (pixels * block) % blocks * block + at % block;
}

TEST(Bias, IsAddedToEachOutputOfItsFilter) {
  for (const Shape& shape : {Shape{}, Shape{.n = 2, .c = 3, .h = 9, .w = 11, .k = 21, .padding = 1},
                             Shape{.n = 1, .c = 16, .h = 16, .w = 16, .k = 32}}) {
    const Convolution convolution(shape);
    std::vector<float> bias = random_floats(static_cast<std::size_t>(shape.k), 5);
    bias[0] = std::numeric_limits<float>::max();
    for (const Layout layout : {Layout::nchw, Layout::blocked}) {
      for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::direct, Algorithm::f4}) {
        for (const int threads : {1, 3}) {
          const Options options{.output = layout,
                                .accuracy = Accuracy::strict,
                                .algorithm = algorithm,
                                .filter = FilterForm::plain,
                                .threads = threads};
          const std::vector<float> without = output_of(convolution, options, nullptr);
          const std::vector<float> with = output_of(convolution, options, bias.data());
          for (std::size_t i = 0; i < with.size(); ++i) {
            const std::size_t k = filter_of(shape, layout, i);
            const float expected = k < bias.size() ? without[i] + bias[k] : 0.0F;
            ASSERT_EQ(with[i], expected) << to_string(shape) << " " << to_string(options) << " at " << i;
          }
        }
      }
    }
  }
}

TEST(Bias, OfInfinityMakesOutputsInfiniteAndSumsNoneOfThemAnew) {
  const Convolution convolution({.n = 1, .c = 4, .h = 8, .w = 8, .k = 2});
  const std::vector<float> bias = {std::numeric_limits<float>::infinity(), 0};
  const Options options{.accuracy = Accuracy::strict, .filter = FilterForm::plain, .threads = 2};
  const std::vector<float> with = output_of(convolution, options, bias.data());
  const std::vector<float> without = output_of(convolution, options, nullptr);
  const std::size_t half = with.size() / 2;
  EXPECT_TRUE(std::all_of(with.begin(), with.begin() + static_cast<std::ptrdiff_t>(half),
                          [&](float one) { return one == bias[0]; }));
  EXPECT_TRUE(std::equal(with.begin() + static_cast<std::ptrdiff_t>(half), with.end(),
                         without.begin() + static_cast<std::ptrdiff_t>(half)));
}

}  // namespace
}  // namespace rooftop::conv
