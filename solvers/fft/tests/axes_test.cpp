/// Transforms along some axes only, of single planes and lines, and multiplied by a scale.
#include <gtest/gtest.h>

#include <cstdint>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

constexpr double tolerance = 2e-15;

TEST(Axes, ThatAreNotTransformedAreLeftAlone) {
  for (const Shape shape :
       {Shape{9, 7, 10}, {8, 1, 19}, {1, 12, 5}, {16, 30, 1}, {11, 1, 1}, {1, 1, 6}, {13, 11, 17}}) {
    for (const int axes : {1, 2, 3}) {
      for (const int threads : {1, 2, 3}) {
        const Plan plan(shape, {.threads = threads, .axes = axes});
        for (const Direction direction : {Direction::forward, Direction::backward}) {
          const Grid grid = random_grid(shape, 1), expected = reference(shape, grid, direction, axes);
          for (const bool in_place : {false, true}) {
            EXPECT_LT(error(run(plan, grid, direction, in_place), expected), tolerance)
                << text(shape) << ", " << axes << " axes, " << threads << " threads";
          }
        }
      }
    }
  }
}

TEST(Axes, ThatAreNotTransformedHaveAnyLengthAndTakeNoScratch) {
  const Plan lines({6, 1 << 20, 1 << 24}, {.threads = 1, .axes = 1});
  EXPECT_LT(lines.scratch_bytes(), 1 << 20);
  const Plan planes({6, 5, std::int64_t{1} << 40}, {.threads = 1, .axes = 2});
  EXPECT_LT(planes.scratch_bytes(), 1 << 20);
}

TEST(Axes, OfSinglePlanesAndLinesOfManyTilesAreRight) {
  for (const Shape shape : {Shape{300, 90, 1}, {17, 640, 1}, {1000, 4, 1}}) {
    const Grid grid = random_grid(shape, 1), expected = reference(shape, grid, Direction::forward);
    for (const int threads : {1, 2, 3}) {
      EXPECT_LT(error(transformed(shape, grid, Direction::forward, threads, true), expected), tolerance) << text(shape);
    }
  }
}

TEST(Axes, OfASinglePlaneTakeTheirFactors) {
  for (const Shape shape : {Shape{6, 9, 1}, {1, 40, 1}, {33, 1, 1}}) {
    const SomeFactors factors(shape);
    const Grid grid = random_grid(shape, 1), expected = reference(shape, factors.times(grid), Direction::backward);
    for (const int threads : {1, 2}) {
      EXPECT_LT(error(transformed(shape, grid, Direction::backward, threads, false, &factors.view()), expected),
                tolerance)
          << text(shape) << ", " << threads << " threads";
    }
  }
}

TEST(Scale, MultipliesTheResultsOfItsDirection) {
  for (const Shape shape : {Shape{9, 7, 10}, {22, 3, 1}, {16, 1, 1}, {1, 1, 1}}) {
    const Plan plan(shape, {.threads = 2, .forward_scale = -0.25, .backward_scale = 3});
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const Grid grid = random_grid(shape, 1);
      Grid expected = reference(shape, grid, direction);
      for (auto& value : expected) value *= direction == Direction::forward ? -0.25 : 3;
      EXPECT_LT(error(run(plan, grid, direction, true), expected), tolerance) << text(shape);
    }
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
