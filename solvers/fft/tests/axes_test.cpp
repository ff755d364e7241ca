/// Transforms along some axes only, of single planes and lines, and multiplied by a scale.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
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

/// The grid with its axes in turn, `first` at the front: y, z, x or z, x, y.
Grid turned(const Shape& shape, const Grid& grid, int first) {
  const std::int64_t lengths[] = {shape.nx, shape.ny, shape.nz}, steps[] = {1, shape.nx, shape.nx * shape.ny};
  const int second = (first + 1) % 3, third = (first + 2) % 3;
  Grid other;
  for (std::int64_t k = 0; k < lengths[third]; ++k) {
    for (std::int64_t j = 0; j < lengths[second]; ++j) {
      for (std::int64_t i = 0; i < lengths[first]; ++i) {
        other.push_back(grid[static_cast<std::size_t>(i * steps[first] + j * steps[second] + k * steps[third])]);
      }
    }
  }
  return other;
}

TEST(Axes, BeginWithAnyOne) {
  for (const Shape shape : {Shape{9, 7, 10},
                            {8, 1, 19},
                            {1, 12, 5},
                            {16, 30, 1},
                            {11, 1, 1},
                            {3, 64, 40},
                            {2, 1009, 2},
                            {5, 4096, 1},
                            {7, 3, 900}}) {
    for (const int first : {1, 2}) {
      const Shape turned_shape = first == 1 ? Shape{shape.ny, shape.nz, shape.nx} : Shape{shape.nz, shape.nx, shape.ny};
      for (const int axes : {1, 2, 3}) {
        const int transformed = std::min(axes, 3 - first);
        for (const int threads : {1, 2, 3}) {
          const Plan plan(shape, {.threads = threads, .axes = axes, .first_axis = first, .backward_scale = 2});
          for (const Direction direction : {Direction::forward, Direction::backward}) {
            const Grid grid = random_grid(shape, 1);
            Grid expected = reference(turned_shape, turned(shape, grid, first), direction, transformed);
            for (auto& value : expected) value *= direction == Direction::backward ? 2 : 1;
            for (const bool in_place : {false, true}) {
              const Grid seen = turned(shape, run(plan, grid, direction, in_place), first);
              EXPECT_LT(error(seen, expected), tolerance)
                  << text(shape) << ", " << axes << " axes from " << first << ", " << threads << " threads";
            }
          }
        }
      }
    }
  }
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
