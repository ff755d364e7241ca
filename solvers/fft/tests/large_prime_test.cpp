/// Long lines with a large prime factor, alone and along any axis: right, in little memory, and soon planned.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "grid.hpp"
#include "grid_chirp.hpp"
#include "long_line.hpp"

namespace rooftop::fft::testing {
namespace {

/// Errors in units of the results' root mean square: of two transforms of up to 2^24 values, and one that was planned.
template <class Real>
constexpr double tolerance = sizeof(Real) == 8 ? 4e-15 : 2e-6;

/// The largest error of some values of a transform.
template <class Real>
double sampled_error(const Shape& shape, Direction direction, int threads, bool in_place) {
  const Grid grid = in_single(random_grid(shape, 1));
  const Grid seen = run(BasicPlan<Real>(shape, {.threads = threads}), grid, direction, in_place);
  const double rms = std::sqrt(2.0 / 3 * static_cast<double>(shape.size()));
  const Definition definition(shape, direction);
  std::mt19937_64 random(2);
  double most = 0;
  for (int i = 0; i < 6; ++i) {
    const auto below = [&](std::int64_t n) { return i == 0 ? n - 1 : static_cast<std::int64_t>(random() % n); };
    const std::int64_t kx = below(shape.nx), ky = below(shape.ny), kz = below(shape.nz);
    const auto expected = definition.value(grid, kx, ky, kz);
    const auto at = static_cast<std::size_t>((kz * shape.ny + ky) * shape.nx + kx);
    const double error = std::abs(seen[at] - expected) / rms;
    if (std::isnan(error)) return error;
    most = std::max(most, error);
  }
  return most;
}

template <class Real>
class LargePrime : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LargePrime, Precisions, );

TYPED_TEST(LargePrime, IsRightAlone) {
  // Just past those that are taken whole, a prime times a small factor, and a grid with a last vector that is not full.
  for (const std::int64_t n : {131, 257, 2 * 263, 1021, 4099, 5 * 3001, 65537}) {
    ASSERT_EQ(internal::rows_of_long_line<TypeParam>(n, 1), 0) << n;
    for (const auto& [threads, in_place] : {std::tuple{1, true}, {2, false}, {3, true}}) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        EXPECT_LT(sampled_error<TypeParam>({n, 1, 1}, direction, threads, in_place), tolerance<TypeParam>)
            << n << ", " << threads << " threads";
      }
    }
  }
}

TYPED_TEST(LargePrime, IsRightAlongEveryAxis) {
  // Smooth lengths too long for a buffer of several lines go the same way.
  for (const std::int64_t n : {4099, 2 * 4099, 8400}) {
    for (const Shape shape : {Shape{n, 3, 2}, {3, n, 2}, {3, 2, n}, {1, n, 1}, {1, 1, n}, {9, 1, n}, {n, 1, 2}}) {
      for (const auto& [threads, in_place] : {std::tuple{1, false}, {3, true}}) {
        const Direction direction = in_place ? Direction::backward : Direction::forward;
        EXPECT_LT(sampled_error<TypeParam>(shape, direction, threads, in_place), tolerance<TypeParam>) << text(shape);
      }
    }
  }
}

TYPED_TEST(LargePrime, SmoothLinesOfAnySizeAreRight) {
  // Cut with columns where they lie and by tiles, and by rows of which the last vector is not full.
  for (const std::int64_t n : {30030, 3 << 15, 1 << 17, 5 * 31 * 1024}) {
    ASSERT_NE(internal::rows_of_long_line<TypeParam>(n, 1), 0) << n;
    for (const auto& [threads, in_place] : {std::tuple{1, true}, {2, false}, {3, true}}) {
      const Direction direction = in_place ? Direction::backward : Direction::forward;
      EXPECT_LT(sampled_error<TypeParam>({n, 1, 1}, direction, threads, in_place), tolerance<TypeParam>)
          << n << ", " << threads << " threads";
    }
  }
}

TYPED_TEST(LargePrime, IsRightBesideOthers) {
  const Shape shape{4099, 5, 1};
  const Grid grid = in_single(random_grid(shape, 3));
  const BasicPlan<TypeParam> all(shape, {.threads = 2, .axes = 1}), one({4099, 1, 1}, {.threads = 2});
  Grid expected;
  for (auto line = grid.begin(); line != grid.end(); line += shape.nx) {
    const Grid alone = run(one, Grid(line, line + shape.nx), Direction::forward, false);
    expected.insert(expected.end(), alone.begin(), alone.end());
  }
  for (const bool in_place : {false, true}) EXPECT_EQ(run(all, grid, Direction::forward, in_place), expected);
}

TYPED_TEST(LargePrime, TakesScalesAndFactors) {
  for (const Shape shape : {Shape{4099, 1, 1}, {2, 4099, 1}, {2, 3, 4099}}) {
    const SomeFactors factors(shape);
    const Grid grid = in_single(random_grid(shape, 1));
    const BasicPlan<TypeParam> plain(shape, {.threads = 2}), scaled(shape, {.threads = 2, .backward_scale = 0.5});
    Grid expected = run(plain, factors.times(grid), Direction::backward, false);
    for (auto& value : expected) value *= 0.5;
    for (const bool in_place : {false, true}) {
      const Grid seen = run(scaled, grid, Direction::backward, in_place, &factors.view());
      EXPECT_LT(error(seen, expected), sizeof(TypeParam) == 8 ? 1e-14 : 1e-6) << text(shape);
    }
  }
}

TYPED_TEST(LargePrime, TakesAtMostFourArraysBesidesEachThreadsOwn) {
  // As the header says. A plan holds little more than it computes: the spectrum of a million values is the largest
  // here.
  constexpr std::size_t own = std::size_t{4} << 20;
  for (const Shape shape : {Shape{131, 1, 1},
                            {1000003, 1, 1},
                            {2 * 262147, 1, 1},
                            {65537, 2, 1},
                            {2, 65537, 1},
                            {1, 1, 65537},
                            {3, 2, 65537},
                            {8192, 2, 1},
                            {1 << 20, 2, 1},
                            {2, 2, 1 << 18},
                            {4093, 4, 4},
                            {4093, 4093, 1},
                            {4099, 64, 1},
                            {8192, 1, 64},
                            {9000, 9, 9}}) {
    for (const int threads : {1, 3}) {
      const BasicPlan<TypeParam> plan(shape, {.threads = threads});
      const std::size_t array = 2 * sizeof(TypeParam) * static_cast<std::size_t>(shape.size());
      EXPECT_LE(plan.scratch_bytes(), 4 * array + own * static_cast<std::size_t>(threads)) << text(shape);
    }
  }
}

TEST(LargePrimes, IsConvolvedInAGridOfLittleMoreThanTwiceItsLength) {
  for (const std::int64_t n : {128, 131, 257, 4099, 65537, 1000003, 4194301, 8388593}) {
    const internal::GridLengths grid = internal::convolution_grid(n);
    EXPECT_GE(grid.nx * grid.nz, 2 * n - 1) << n;
    EXPECT_LT(static_cast<double>(grid.nx * grid.nz), 2.5 * static_cast<double>(n)) << n;
    EXPECT_TRUE(internal::transformable(grid.nx) && internal::transformable(grid.nz)) << n;
    EXPECT_LE(std::max(grid.nx, grid.nz), 8192) << n;
  }
}

TEST(LargePrimes, IsRightOnEveryInstructionSet) {
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    SCOPED_TRACE(Plan({1, 1, 1}).instruction_set());
    for (const Shape shape : {Shape{263, 1, 1}, {4099, 1, 2}}) {
      EXPECT_LT(sampled_error<double>(shape, Direction::backward, 2, true), tolerance<double>);
      EXPECT_LT(sampled_error<float>(shape, Direction::forward, 2, false), tolerance<float>);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(LargePrimes, IsCountedWithItsConvolution) {
  const Plan prime({65537, 1, 1}, {.threads = 1}), smooth({65536, 1, 1}, {.threads = 1});
  const double ratio =
      (prime.lone_flops() + prime.multiply_add_flops()) / (smooth.lone_flops() + smooth.multiply_add_flops());
  EXPECT_GT(ratio, 4);
  EXPECT_LT(ratio, 7);
}

}  // namespace
}  // namespace rooftop::fft::testing
