/// Arrays in every place a caller may have them, and the layout conversion.
#include <gtest/gtest.h>

#include <algorithm>

#include "convolution.hpp"

namespace rooftop::conv {
namespace {

TEST(Memory, NchwArraysMayStartAndEndAnywhere) {
  for (const Shape& shape :
       {Shape{.n = 1, .c = 3, .h = 9, .w = 11, .k = 5}, Shape{.n = 2, .c = 17, .h = 6, .w = 5, .k = 16},
        Shape{.n = 1, .c = 16, .h = 16, .w = 16, .k = 32, .padding = 1},
        Shape{.n = 1, .c = 2, .h = 3, .w = 40, .k = 1, .padding = 1}}) {
    const Convolution convolution(shape);
    for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
      for (const auto place : {GuardedArray::Place::line, GuardedArray::Place::back, GuardedArray::Place::front}) {
        convolution.run({.algorithm = algorithm, .threads = 2}, place);
        convolution.run({.output = Layout::blocked, .algorithm = algorithm, .threads = 1}, place);
        convolution.run({.input = Layout::blocked, .algorithm = algorithm, .threads = 1}, place);
      }
    }
  }
}

TEST(Memory, ScratchIsBounded) {
  // A few megabytes a thread, whatever the batch: the arrays themselves are not kept a second time.
  const Shape shape{.n = 64, .c = 64, .h = 112, .w = 112, .k = 64};
  const Plan plan(shape, {.threads = 2});
  EXPECT_LE(plan.scratch_bytes(), (plan.image_floats() + plan.output_floats()) * sizeof(float) / 4);
}

TEST(Memory, BlockedLayoutRoundTrip) {
  for (const std::int64_t channels : {1, 3, 15, 16, 17, 32, 50}) {
    for (const int threads : {0, 1, 3}) {
      const std::int64_t n = 2;
      const std::int64_t h = 5;
      const std::int64_t w = 7;
      const std::int64_t blocks = (channels + channel_block - 1) / channel_block;
      const std::vector<float> values = random_floats(static_cast<std::size_t>(n * channels * h * w), 3);
      const GuardedArray nchw(values.size() * sizeof(float), GuardedArray::Place::back);
      std::ranges::copy(values, nchw.floats().begin());
      const GuardedArray blocked(static_cast<std::size_t>(n * blocks * channel_block * h * w) * sizeof(float));
      blocked.poison();
      to_blocked(nchw.floats().data(), blocked.floats().data(), n, channels, h, w, threads);
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t c = 0; c < blocks * channel_block; ++c) {
          for (std::int64_t p = 0; p < h * w; ++p) {
            const auto at = static_cast<std::size_t>(((i * blocks + c / channel_block) * h * w + p) * channel_block +
                                                     c % channel_block);
            const float expected =
                c < channels ? values[static_cast<std::size_t>((i * channels + c) * h * w + p)] : 0.0F;
            ASSERT_EQ(blocked.floats()[at], expected) << channels << " channels, at " << i << " " << c << " " << p;
          }
        }
      }
      nchw.poison();
      from_blocked(blocked.floats().data(), nchw.floats().data(), n, channels, h, w, threads);
      EXPECT_TRUE(std::ranges::equal(nchw.floats(), values)) << channels;
      EXPECT_TRUE(nchw.intact() && blocked.intact());
    }
  }
}

}  // namespace
}  // namespace rooftop::conv
