/// Transforms of complex floats, against those of complex doubles.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "grid.hpp"
#include "long_line.hpp"

namespace rooftop::fft::testing {
namespace {

/// max |difference| in units of the reference's root mean square and of a float's epsilon for each of log2 n
/// butterflies.
double butterfly_errors(const Grid& seen, const Grid& expected) {
  double most = 0, squares = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double difference = std::abs(seen[i] - expected[i]);
    if (std::isnan(difference)) return difference;
    most = std::max(most, difference);
    squares += std::norm(expected[i]);
  }
  const auto values = static_cast<double>(seen.size());
  const double epsilons = (1 + std::log2(values)) * std::numeric_limits<float>::epsilon();
  return most / std::sqrt(squares / values) / epsilons;
}

// Roundings add up as their squares do: the largest error of all stays below one of them for each butterfly.
constexpr double tolerance = 1;

void expect_right(const Shape& shape, const Options& options, bool in_place) {
  const SinglePlan single(shape, options);
  const Plan twice(shape, options);
  const Grid grid = in_single(random_grid(shape, 1));
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const Grid expected = run(twice, grid, direction, in_place);
    EXPECT_LT(butterfly_errors(run(single, grid, direction, in_place), expected), tolerance)
        << text(shape) << (direction == Direction::forward ? " forward" : " backward") << ", " << options.axes
        << " axes, " << options.threads << " threads" << (in_place ? ", in place" : "");
  }
}

TEST(SinglePrecision, IsRightForEveryLengthAlongEveryAxis) {
  for (std::int64_t n = 1; n <= 70; ++n) {
    expect_right({n, 3, 2}, {.threads = 1}, false);
    expect_right({5, n, 2}, {.threads = 1}, true);
    expect_right({3, 5, n}, {.threads = 2}, true);
  }
}

TEST(SinglePrecision, IsRightWhateverIsLeftOver) {
  // More and fewer lines and columns than a tile and a vector of up to 16 hold.
  for (const Shape shape : {Shape{1, 1, 1}, {9, 7, 10}, {17, 15, 33}, {16, 18, 1}, {63, 5, 12}, {70, 1, 16}}) {
    for (const int threads : {1, 2, 3, 5}) {
      for (const bool in_place : {false, true}) expect_right(shape, {.threads = threads}, in_place);
    }
  }
}

TEST(SinglePrecision, IsRightForAxesAndScales) {
  for (const Shape shape : {Shape{9, 7, 10}, {8, 1, 19}, {1, 12, 5}, {300, 90, 1}, {22, 640, 1}, {1, 1, 6}}) {
    for (const int axes : {1, 2, 3}) {
      for (const int threads : {1, 2}) {
        expect_right(shape, {.threads = threads, .axes = axes, .forward_scale = -0.25, .backward_scale = 3}, true);
      }
    }
  }
}

TEST(SinglePrecision, IsRightForLinesTooLongForACache) {
  for (const std::int64_t n : {256, 289, 729, 1000, 2401, 4096, 17 * 64, 127 * 16, 1 << 16}) {
    ASSERT_NE(internal::rows_of_long_line<float>(n, 1), 0) << n;
    for (const int threads : {1, 3}) {
      expect_right({n, 1, 1}, {.threads = threads}, false);
      expect_right({n, 3, 1}, {.threads = threads, .axes = 1}, true);
    }
  }
  for (const std::int64_t lines : {4, 5, 21}) expect_right({512, lines, 1}, {.threads = 2, .axes = 1}, true);
}

TEST(SinglePrecision, IsRightForLengthsWithOtherPrimeFactors) {
  for (const std::int64_t n : {97, 127, 2 * 11 * 13, 509, 1009, 4093}) {
    expect_right({n, 3, 2}, {.threads = 2}, true);
    expect_right({2, n, 1}, {.threads = 1}, false);
    expect_right({1, 20, n}, {.threads = 2}, true);
  }
}

TEST(SinglePrecision, TakesFactorsOnTheWay) {
  for (const Shape shape : {Shape{12, 7, 9}, {16, 9, 1}, {1, 1, 8}, {80, 3, 4}, {1200, 1, 1}, {11, 37, 13}}) {
    const SomeFactors factors(shape);
    const Grid grid = in_single(random_grid(shape, 3));
    for (const int threads : {1, 2}) {
      const Grid expected = run(Plan(shape, {.threads = threads}), factors.times(grid), Direction::backward, false);
      for (const bool in_place : {false, true}) {
        const SinglePlan plan(shape, {.threads = threads});
        EXPECT_LT(butterfly_errors(run(plan, grid, Direction::backward, in_place, &factors.view()), expected),
                  tolerance)
            << text(shape);
      }
    }
  }
}

TEST(SinglePrecision, IsRightOnEveryInstructionSet) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    SCOPED_TRACE(SinglePlan({1, 1, 1}).instruction_set());
    expect_right({18, 14, 20}, {.threads = 2}, true);
    expect_right({27, 45, 35}, {.threads = 2}, false);
    expect_right({254, 17, 5}, {.threads = 1}, false);
    expect_right({729, 1, 1}, {.threads = 1}, true);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(SinglePrecision, TakesNoMoreScratchAndDoesTheSameOperations) {
  const Shape shape{250, 256, 256};  // lines along x are cut by what fills a vector, where they can be
  const SinglePlan single(shape, {.threads = 2});
  const Plan twice(shape, {.threads = 2});
  EXPECT_LE(single.scratch_bytes(), twice.scratch_bytes());
  EXPECT_EQ(single.lone_flops(), twice.lone_flops());
  EXPECT_EQ(single.multiply_add_flops(), twice.multiply_add_flops());
}

TEST(SinglePrecision, RefusesAScaleThatAFloatCannotHold) {
  const Options options{.threads = 1, .backward_scale = 1e300};
  EXPECT_NO_THROW(Plan({4, 4, 4}, options));
  try {
    const SinglePlan plan({4, 4, 4}, options);
    FAIL() << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "a scale is 1e+300, expected a number of magnitude up to 3.40282e+38");
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
