// threads: none
/// Lines along x that fill vectors by themselves.
#include "wide_line.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

TEST(WideLine, IsOneThatFillsVectors) {
  EXPECT_EQ(internal::make_wide_line<double>(64, 8).n, 64);
  EXPECT_EQ(internal::make_wide_line<double>(96, 8).n, 96);
  EXPECT_EQ(internal::make_wide_line<double>(8, 8).n, 0);
  EXPECT_EQ(internal::make_wide_line<double>(100, 8).n, 0);
  EXPECT_EQ(internal::make_wide_line<double>(64 * 37, 8).n, 0);
  EXPECT_EQ(internal::make_wide_line<double>(64, 2).n, 0);
  EXPECT_EQ(internal::make_wide_line<double>(64, 1).n, 0);
  EXPECT_EQ(internal::make_wide_line<float>(32, 16).n, 32);
}

TEST(WideLine, IsTakenWhereLinesDoNotFillVectorsTogether) {
  EXPECT_TRUE(internal::fills_vectors(64, 1000, 8));
  EXPECT_TRUE(internal::fills_vectors(96, 7, 8));
  EXPECT_FALSE(internal::fills_vectors(96, 8, 8));
  EXPECT_FALSE(internal::fills_vectors(96, 1, 2));
}

TEST(WideLine, IsRightOnEveryInstructionSet) {
  // One pass over rows and several, of every radix; rows that are fewer than lanes, and not a multiple of them.
  for (const std::int64_t n : {8,   12,  16,  24,  32,  40,  48,  64,  80,  88,  96,  104,  112,  128,  152,  176, 192,
                               240, 256, 272, 320, 368, 448, 464, 496, 512, 592, 768, 1000, 1024, 1280, 2048, 4096}) {
    const Shape shape{n, 2, 1};
    const Grid grid = in_single(random_grid(shape, 1));
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const Grid expected = reference(shape, grid, direction);
      for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
        hwy::SetSupportedTargetsForTest(targets & -targets);
        SCOPED_TRACE(std::string(Plan(shape).instruction_set()) + ", " + text(shape));
        for (const bool in_place : {false, true}) {
          EXPECT_LT(error(run(Plan(shape, {.threads = 1}), grid, direction, in_place), expected), 2e-15);
          EXPECT_LT(error(run(SinglePlan(shape, {.threads = 1}), grid, direction, in_place), expected), 1e-6);
        }
      }
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

TEST(WideLine, IsScaled) {
  const Shape shape{256, 2, 1};
  const Grid grid = random_grid(shape, 2);
  const Options options{.threads = 1, .forward_scale = 3, .backward_scale = 0.25};
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    Grid expected = reference(shape, grid, direction);
    for (auto& value : expected) value *= direction == Direction::forward ? 3 : 0.25;
    EXPECT_LT(error(run(Plan(shape, options), grid, direction, false), expected), 2e-15);
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
