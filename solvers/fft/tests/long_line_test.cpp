/// Long lines that are transformed alone or a few together, as grids.
#include "long_line.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

constexpr double tolerance = 2e-15;

TEST(LongLine, IsRightForRowsOfAnyNumberAndLength) {
  // Rows that fill vectors and tiles and that do not, and other prime factors in rows, in columns and in both.
  for (const std::int64_t n : {18,  25,   27,   50,   98,   250,  255,     256,     289,      400,
                               729, 1000, 2187, 2401, 1001, 4096, 17 * 64, 17 * 23, 127 * 16, 5000}) {
    ASSERT_NE(internal::rows_of_long_line<double>(n, 1), 0) << n;
    const Shape shape{n, 1, 1};
    const Grid grid = random_grid(shape, 1);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const Grid expected = reference(shape, grid, direction);
      for (const int threads : {1, 2, 3}) {
        for (const bool in_place : {false, true}) {
          EXPECT_LT(error(transformed(shape, grid, direction, threads, in_place), expected), tolerance)
              << n << ", " << threads << " threads";
        }
      }
    }
  }
}

TEST(LongLine, IsLeftWholeWhereItCannotBeCutOrNeedNotBe) {
  EXPECT_EQ(internal::rows_of_long_line<double>(15, 1), 0);
  EXPECT_EQ(internal::rows_of_long_line<double>(34, 1), 0);
  EXPECT_EQ(internal::rows_of_long_line<double>(1009, 1), 0);
  EXPECT_EQ(internal::rows_of_long_line<double>(2 * 1009, 1), 0);
  EXPECT_EQ(internal::rows_of_long_line<double>(4096, 8), 0);
  EXPECT_NE(internal::rows_of_long_line<double>(1 << 16, 8), 0);
}

TEST(LongLine, IsTransformedBesideOthersAsItIsAlone) {
  for (const Shape shape : {Shape{1024, 2, 1}, {512, 1, 2}, {9216, 3, 1}}) {
    ASSERT_NE(internal::rows_of_long_line<double>(shape.nx, shape.ny * shape.nz), 0);
    const Grid grid = random_grid(shape, 1);
    for (const int threads : {1, 2, 3}) {
      const Plan all(shape, {.threads = threads, .axes = 1}), alone({shape.nx, 1, 1}, {.threads = 1});
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        Grid expected;
        for (auto line = grid.begin(); line != grid.end(); line += shape.nx) {
          const Grid one = run(alone, Grid(line, line + shape.nx), direction, false);
          expected.insert(expected.end(), one.begin(), one.end());
        }
        for (const bool in_place : {false, true}) EXPECT_EQ(run(all, grid, direction, in_place), expected);
      }
    }
  }
}

TEST(LongLine, TakesFactorsAndAScale) {
  const Shape shape{1200, 1, 1};
  const SomeFactors factors(shape);
  const Grid grid = random_grid(shape, 1);
  Grid expected = reference(shape, factors.times(grid), Direction::backward);
  for (auto& value : expected) value *= 0.5;
  for (const int threads : {1, 3}) {
    const Plan plan(shape, {.threads = threads, .backward_scale = 0.5});
    for (const bool in_place : {false, true}) {
      EXPECT_LT(error(run(plan, grid, Direction::backward, in_place, &factors.view()), expected), tolerance);
    }
  }
}

TEST(LongLine, TakesLessScratchAndIsCounted) {
  const Plan plan({1 << 20, 1, 1}, {.threads = 1});
  EXPECT_LT(plan.scratch_bytes(), std::size_t{18} << 20);
  const double estimate = 5.0 * 20 * (1 << 20);
  EXPECT_GT(plan.lone_flops() + plan.multiply_add_flops(), 0.6 * estimate);
  EXPECT_LT(plan.lone_flops() + plan.multiply_add_flops(), 1.1 * estimate);
}

TEST(LongLine, IsRightOnEveryInstructionSet) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    SCOPED_TRACE(Plan({1, 1, 1}).instruction_set());
    for (const std::int64_t n : {512, 729}) {
      const Grid grid = random_grid({n, 1, 1}, 1), expected = reference({n, 1, 1}, grid, Direction::backward);
      EXPECT_LT(error(transformed({n, 1, 1}, grid, Direction::backward, 2, true), expected), tolerance);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace rooftop::fft::testing
