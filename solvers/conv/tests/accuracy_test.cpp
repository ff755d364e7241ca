/// The errors that the accuracy switch promises.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "convolution.hpp"
#include "races_only.hpp"

namespace rooftop::conv {
namespace {

/// max |difference| / max |reference| on random data with up to 512 channels.
double promised(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::direct:
      return 2e-6;
    case Algorithm::f2:
      return 1e-6;
    case Algorithm::f4:
      return 2.5e-6;
    default:
      return 2e-5;
  }
}

class Channels : public testing::TestWithParam<int> {};

TEST_P(Channels, ErrorStaysWithinTheAlgorithmsBound) {
  for (const std::int64_t side : {14, 28}) {
    const Convolution convolution({.n = 1, .c = GetParam(), .h = side, .w = side, .k = 64, .padding = 1}, 11);
    for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
      for (const FilterForm filter : {FilterForm::transformed, FilterForm::plain}) {
        const double error = relative_error(
            convolution.shape(), convolution.run({.algorithm = algorithm, .filter = filter}), convolution.reference());
        const std::string what = to_string(algorithm) + " at " + std::to_string(side) + " pixels" +
                                 (filter == FilterForm::plain ? ", plain filter" : "");
        EXPECT_LE(error, promised(algorithm)) << what;
        RecordProperty(what, std::to_string(error * 1e6) + "e-6");
      }
    }
  }
}

const std::vector<int> channel_counts = running::races_only ? std::vector{64} : std::vector{64, 256, 512};
INSTANTIATE_TEST_SUITE_P(Accuracy, Channels, testing::ValuesIn(channel_counts), testing::PrintToStringParamName());

TEST(Accuracy, TheSwitchLimitsTheChoice) {
  const std::set<Algorithm> strict{Algorithm::direct, Algorithm::f2};
  const std::set<Algorithm> balanced{Algorithm::direct, Algorithm::f2, Algorithm::f4};
  for (const std::int64_t side : {3, 5, 8, 16, 30, 58, 114, 226}) {
    for (const std::int64_t channels : {1, 3, 16, 64, 512}) {
      const Shape shape{.n = 1, .c = channels, .h = side, .w = side, .k = channels, .padding = 1};
      EXPECT_TRUE(strict.contains(Plan(shape, {.accuracy = Accuracy::strict}).algorithm())) << to_string(shape);
      EXPECT_TRUE(balanced.contains(Plan(shape, {.accuracy = Accuracy::balanced}).algorithm())) << to_string(shape);
      EXPECT_NE(Plan(shape, {.accuracy = Accuracy::relaxed}).algorithm(), Algorithm::automatic) << to_string(shape);
    }
  }
}

TEST(Accuracy, MeasuringKeepsToTheSwitchToo) {
  const Convolution convolution({.n = 1, .c = 16, .h = 20, .w = 20, .k = 16, .padding = 1});
  for (const Accuracy accuracy : {Accuracy::strict, Accuracy::balanced, Accuracy::relaxed}) {
    convolution.run({.accuracy = accuracy, .measure = true, .threads = 2});
    const Algorithm algorithm = Plan(convolution.shape(), {.accuracy = accuracy, .measure = true}).algorithm();
    const Algorithm most[] = {Algorithm::f2, Algorithm::f4, Algorithm::f6};
    EXPECT_LE(algorithm, most[static_cast<std::size_t>(accuracy)]);
  }
}

TEST(Accuracy, FilterTapsAreNeitherFlippedNorTransposed) {
  // One tap at a time moves the image; whole numbers make every algorithm's rounding invisible at this tolerance.
  const Shape shape{.n = 1, .c = 1, .h = 6, .w = 8, .k = 9};
  std::vector<float> filter(81, 0.0F);
  for (std::size_t k = 0; k < 9; ++k) filter[k * 9 + k] = 1.0F;
  std::vector<float> image(48);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  for (const Algorithm algorithm : {Algorithm::direct, Algorithm::f2, Algorithm::f4, Algorithm::f6}) {
    const Plan plan(shape, {.algorithm = algorithm, .threads = 1});
    const GuardedArray transformed(plan.filter_floats() * sizeof(float));
    const GuardedArray scratch(plan.scratch_bytes());
    std::vector<float> output(plan.output_floats());
    plan.transform_filter(filter.data(), transformed.floats().data());
    plan.run(image.data(), transformed.floats().data(), output.data(), scratch.data());
    for (int k = 0; k < 9; ++k) {
      for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 6; ++x) {
          ASSERT_NEAR(output[static_cast<std::size_t>((k * 4 + y) * 6 + x)], (y + k / 3) * 8 + x + k % 3, 1e-3)
              << to_string(algorithm) << " tap " << k << " y " << y << " x " << x;
        }
      }
    }
  }
}

TEST(Accuracy, FlopsCountedAreThoseOfTheAlgorithm) {
  const Shape shape{.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .padding = 1};
  const double direct = 18.0 * 64 * 64 * 56 * 56;
  const auto flops = [&](Algorithm a) { return Plan(shape, {.algorithm = a}).multiply_add_flops() / direct; };
  EXPECT_NEAR(flops(Algorithm::direct), 1, 0.1);
  EXPECT_NEAR(flops(Algorithm::f2), 16.0 / 36, 0.05);
  EXPECT_NEAR(flops(Algorithm::f4), 36.0 / 144, 0.03);
  EXPECT_GE(flops(Algorithm::f6), 64.0 / 324 - 1e-9);
  EXPECT_LE(flops(Algorithm::f6), 64.0 / 324 * 1.25);
  EXPECT_GT(Plan(shape, {.algorithm = Algorithm::f4}).transform_flops(), 0);
  EXPECT_GT(Plan(shape, {.algorithm = Algorithm::f4, .filter = FilterForm::plain}).transform_flops(),
            Plan(shape, {.algorithm = Algorithm::f4}).transform_flops());
}

TEST(Accuracy, OperationsOfOneTileAreCountedAsTheyAreDone) {
  const auto plan = [](std::int64_t side, Algorithm algorithm) {
    return Plan({.n = 1, .c = 16, .h = side, .w = side, .k = 16, .padding = 1}, {.algorithm = algorithm});
  };
  EXPECT_EQ(plan(2, Algorithm::f2).multiply_add_flops(), 2 * 16 * 16 * 16);
  EXPECT_EQ(plan(2, Algorithm::f2).transform_flops(), 16 * (32 + 24));  // Lavin and Gray 2016, section 4.1
  // Twelve 1-D transforms of 10 multiply-adds and 2 additions, and ten back of 6 multiply-adds and 4 additions.
  EXPECT_EQ(plan(4, Algorithm::f4).multiply_add_flops(), 2 * 16 * (36 * 16 + 12 * 10 + 10 * 6));
  EXPECT_EQ(plan(4, Algorithm::f4).transform_flops(), 16 * (12 * 2 + 10 * 4));
}

TEST(Accuracy, TheLastTilesAreAsSmallAsTheOutputAllows) {
  const auto products = [](std::int64_t side, Algorithm algorithm) {
    const auto flops = [&](std::int64_t c, std::int64_t k) {
      const Shape shape{.n = 1, .c = c, .h = side, .w = side, .k = k, .padding = 1};
      return Plan(shape, {.algorithm = algorithm}).multiply_add_flops();
    };
    // Transforms are those of c images and of k outputs; products alone grow with both.
    return (flops(32, 32) - flops(16, 32) - flops(32, 16) + flops(16, 16)) / (2 * 16 * 16);
  };
  EXPECT_EQ(products(14, Algorithm::f4), (3 * 6 + 4) * (3 * 6 + 4));  // three tiles of 4 and one of 2
  EXPECT_EQ(products(13, Algorithm::f4), (3 * 6 + 4) * (3 * 6 + 4));
  EXPECT_EQ(products(15, Algorithm::f4), 4 * 6 * 4 * 6);
  EXPECT_EQ(products(16, Algorithm::f4), 4 * 6 * 4 * 6);
  EXPECT_EQ(products(56, Algorithm::f6), (9 * 8 + 4) * (9 * 8 + 4));
  EXPECT_EQ(products(28, Algorithm::f6), (4 * 8 + 6) * (4 * 8 + 6));
  EXPECT_EQ(products(2, Algorithm::f6), 4 * 4);
  EXPECT_EQ(products(7, Algorithm::f2), 16 * 16);
}

}  // namespace
}  // namespace rooftop::conv
