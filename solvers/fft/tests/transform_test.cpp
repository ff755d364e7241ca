#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

// Rounding errors of log2 n butterflies, each a few units in the last place.
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

TEST(Transform, IsRightForEveryLengthAlongEveryAxis) {
  for (std::int64_t n = 1; n <= 64; ++n) {
    std::int64_t left = n;
    for (const std::int64_t factor : {2, 3, 5, 7}) {
      while (left % factor == 0) left /= factor;
    }
    if (left != 1) continue;
    expect_right({n, 3, 2}, 1, false);
    expect_right({5, n, 2}, 1, true);
    expect_right({3, 5, n}, 2, true);
  }
}

TEST(Transform, IsRightForLongLines) {
  for (const std::int64_t n : {128, 210, 243, 256, 343, 512, 625, 1024, 2048, 2520, 4096}) {
    expect_right({n, 1, 1}, 1, true);
    expect_right({2, n, 1}, 1, false);
    expect_right({1, 2, n}, 2, false);
  }
}

TEST(Transform, IsRightWhateverIsLeftOver) {
  // More and fewer columns than a tile and a vector hold, more and fewer planes than threads.
  for (const Shape shape :
       {Shape{1, 1, 1}, {9, 7, 10}, {10, 9, 7}, {15, 14, 1}, {63, 5, 12}, {64, 9, 3}, {70, 1, 16}}) {
    for (const int threads : {1, 2, 3, 5}) {
      for (const bool in_place : {false, true}) expect_right(shape, threads, in_place);
    }
  }
}

TEST(Transform, IsRightWhereRowsOfAPlaneWouldMeetInACache) {
  for (const Shape shape : {Shape{128, 7, 2}, {384, 3, 1}, {256, 130, 1}}) {
    for (const bool in_place : {false, true}) expect_right(shape, 1, in_place);
  }
  expect_right({256, 640, 1}, 1, true);  // a plane too large to be copied
}

TEST(Transform, OfOneModeIsAWave) {
  const Shape shape{8, 6, 10};
  Grid grid(static_cast<std::size_t>(shape.size()));
  grid[(3 * 6 + 2) * 8 + 1] = 1;  // mode (1, 2, 3)
  const Grid wave = transformed(shape, grid, Direction::backward, 1, false);
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    const double x = static_cast<double>(i % 8), y = static_cast<double>(i / 8 % 6), z = static_cast<double>(i / 48);
    const std::complex<double> expected = std::polar(1.0, 2 * M_PI * (x / 8 + 2 * y / 6 + 3 * z / 10));
    EXPECT_LT(std::abs(wave[static_cast<std::size_t>(i)] - expected), 1e-14);
  }
}

TEST(Transform, BackUndoesForth) {
  const Shape shape{40, 21, 32};
  const Grid grid = random_grid(shape, 2);
  Grid again = transformed(shape, transformed(shape, grid, Direction::forward, 2, true), Direction::backward, 2, true);
  for (auto& value : again) value /= static_cast<double>(shape.size());
  EXPECT_LT(error(again, grid), tolerance);
}

TEST(Transform, TakesFactorsOnTheWay) {
  for (const Shape shape : {Shape{12, 7, 9}, {16, 9, 1}, {1, 1, 8}, {80, 3, 4}}) {
    const SomeFactors factors(shape);
    const Grid grid = random_grid(shape, 3);
    const Grid expected = reference(shape, factors.times(grid), Direction::backward);
    for (const bool in_place : {false, true}) {
      EXPECT_LT(error(transformed(shape, grid, Direction::backward, 2, in_place, &factors.view()), expected), tolerance)
          << text(shape);
    }
  }
}

TEST(Transform, IsRightOnEveryInstructionSet) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    SCOPED_TRACE(Plan({1, 1, 1}).instruction_set());
    expect_right({18, 14, 20}, 2, true);
    expect_right({256, 3, 5}, 1, false);
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace rooftop::fft::testing
