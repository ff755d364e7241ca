/// Lengths with prime factors that no butterfly is written for: up to 31, and larger ones.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <vector>

#include "chirp.hpp"
#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

// As for other lengths: two transforms of more than twice the length and three products add little to log2 n
// butterflies.
constexpr double tolerance = 2e-15;

void expect_right(const Shape& shape, int threads, bool in_place) {
  const Grid grid = random_grid(shape, 1);
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const Grid seen = transformed(shape, grid, direction, threads, in_place);
    EXPECT_LT(error(seen, reference(shape, grid, direction)), tolerance)
        << text(shape) << (direction == Direction::forward ? " forward" : " backward") << ", " << threads << " threads"
        << (in_place ? ", in place" : "");
  }
}

TEST(AnyLength, IsRightAlongEveryAxis) {
  for (const std::int64_t n : {11, 13, 17, 31, 37, 97, 127, 22, 33, 74, 2 * 11 * 13, 41 * 5}) {
    for (const int threads : {1, 2, 3}) {
      for (const bool in_place : {false, true}) {
        expect_right({n, 3, 2}, threads, in_place);
        expect_right({5, n, 2}, threads, in_place);
        expect_right({3, 5, n}, threads, in_place);
      }
    }
  }
}

TEST(AnyLength, IsRightAlongAllAxesTogether) {
  for (const Shape shape : {Shape{11, 13, 17}, {19, 22, 8}, {34, 1, 23}, {9, 37, 11}, {41, 43, 74}}) {
    for (const int threads : {1, 2, 3}) {
      for (const bool in_place : {false, true}) expect_right(shape, threads, in_place);
    }
  }
}

TEST(AnyLength, IsRightForLongLines) {
  for (const std::int64_t n : {509, 1009, 2 * 1021, 4093}) {
    expect_right({n, 1, 1}, 1, true);
    expect_right({2, n, 1}, 1, false);
    expect_right({1, 2, n}, 2, false);
  }
}

TEST(AnyLength, TakesFactorsOnTheWay) {
  for (const Shape shape : {Shape{11, 7, 13}, {16, 22, 1}, {1, 1, 33}, {97, 3, 4}, {16, 82, 1}}) {
    const SomeFactors factors(shape);
    const Grid grid = random_grid(shape, 3);
    const Grid expected = reference(shape, factors.times(grid), Direction::backward);
    for (const int threads : {1, 2, 3}) {
      for (const bool in_place : {false, true}) {
        EXPECT_LT(error(transformed(shape, grid, Direction::backward, threads, in_place, &factors.view()), expected),
                  tolerance)
            << text(shape);
      }
    }
  }
}

TEST(AnyLength, IsRightOnEveryInstructionSet) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    SCOPED_TRACE(Plan({1, 1, 1}).instruction_set());
    expect_right({22, 13, 17}, 2, true);
    expect_right({74, 41, 43}, 2, true);
    for (const std::int64_t n : {19, 23, 29, 31}) expect_right({16 * n, 2, n}, 1, true);
    expect_right({254, 3, 5}, 1, false);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(AnyLength, IsCountedWithItsConvolution) {
  // Two transforms of twice the length, and products.
  const Plan prime({1021, 8, 1}, {.threads = 1}), smooth({1024, 8, 1}, {.threads = 1});
  const double ratio =
      (prime.lone_flops() + prime.multiply_add_flops()) / (smooth.lone_flops() + smooth.multiply_add_flops());
  EXPECT_GT(ratio, 4);
  EXPECT_LT(ratio, 6);
}

TEST(AnyLength, IsConvolvedInALengthThatHoldsItAndIsTransformable) {
  for (std::int64_t n = 1; n < 3000; ++n) {
    const std::int64_t length = internal::convolution_length(n);
    EXPECT_TRUE(internal::transformable(length)) << n;
    EXPECT_GE(length, 2 * n - 1);
    EXPECT_LT(length, 4 * n) << n;
  }
}

TEST(AnyLength, HasAChirpThatIsExactFarOut) {
  // (n - 1)^2 = n + 1 modulo 2 n for odd n: exp(-i pi (n + 1) / n) = -exp(-i pi / n).
  constexpr std::int64_t n = 1000033;
  const std::vector<double> chirp = internal::make_chirp<double>(n);
  EXPECT_DOUBLE_EQ(chirp[2 * (n - 1)], -chirp[2]);
  EXPECT_NEAR(chirp[2 * (n - 1) + 1], -chirp[3], 1e-18);
}

}  // namespace
}  // namespace rooftop::fft::testing
