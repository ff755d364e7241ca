/// Transforms of real values to half of their modes, and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

template <class Real>
constexpr double tolerance = sizeof(Real) == 8 ? 2e-15 : 1e-6;

Grid real_grid(const Shape& shape) {
  Grid grid = in_single(random_grid(shape, 1));
  for (auto& value : grid) value = value.real();
  return grid;
}

/// Modes 0 to nx / 2 of each line.
Grid half_of(const Shape& shape, const Grid& modes) {
  Grid half;
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    if (i % shape.nx <= shape.nx / 2) half.push_back(modes[static_cast<std::size_t>(i)]);
  }
  return half;
}

/// Bit by bit: a NaN differs from itself.
template <class Value>
bool same(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

template <class Real>
Grid forward(const BasicRealPlan<Real>& plan, const Grid& grid, const std::int32_t* stop = nullptr) {
  std::vector<Real> in;
  for (const auto& value : grid) in.push_back(static_cast<Real>(value.real()));
  const std::vector<Real> before = in;
  std::vector<std::complex<Real>> out(static_cast<std::size_t>(plan.modes().size()));
  Scratch scratch(plan.scratch_bytes());
  plan.forward(in.data(), out.data(), scratch.data(), stop);
  EXPECT_TRUE(scratch.intact()) << "scratch was overrun";
  EXPECT_TRUE(same(in, before)) << "the input was written to";
  return {out.begin(), out.end()};
}

template <class Real>
Grid backward(const BasicRealPlan<Real>& plan, const Grid& modes, const std::int32_t* stop = nullptr) {
  std::vector<std::complex<Real>> in;
  for (const auto& mode : modes) in.emplace_back(static_cast<Real>(mode.real()), static_cast<Real>(mode.imag()));
  const std::vector<std::complex<Real>> before = in;
  std::vector<Real> out(static_cast<std::size_t>(plan.shape().size()));
  Scratch scratch(plan.scratch_bytes());
  plan.backward(in.data(), out.data(), scratch.data(), stop);
  EXPECT_TRUE(scratch.intact()) << "scratch was overrun";
  EXPECT_TRUE(same(in, before)) << "the input was written to";
  return {out.begin(), out.end()};
}

/// `whole` holds all modes.
template <class Real>
void expect_modes(const Shape& shape, int axes, int threads, const Grid& grid, const Grid& whole) {
  const BasicRealPlan<Real> plan(shape, {.threads = threads, .axes = axes});
  const Grid half = half_of(shape, whole);
  const std::string what = text(shape) + ", " + std::to_string(axes) + " axes, " + std::to_string(threads) + " threads";
  EXPECT_LT(error(forward(plan, grid), half), tolerance<Real>) << what;
  std::int64_t values = shape.nx;
  if (axes > 1) values *= shape.ny;
  if (axes > 2) values *= shape.nz;
  Grid expected = grid;
  for (auto& value : expected) value *= static_cast<double>(values);
  EXPECT_LT(error(backward(plan, half), expected), tolerance<Real>) << what;
}

void expect_right(const Shape& shape, int axes, std::initializer_list<int> teams) {
  const Grid grid = real_grid(shape), whole = reference(shape, grid, Direction::forward, axes);
  for (const int threads : teams) {
    expect_modes<double>(shape, axes, threads, grid, whole);
    expect_modes<float>(shape, axes, threads, grid, whole);
  }
}

TEST(Real, TransformsOfSmallGridsAreThoseOfComplexValues) {
  for (const Shape shape : {Shape{1, 1, 1},
                            {2, 1, 1},
                            {3, 1, 1},
                            {4, 1, 1},
                            {1, 7, 1},
                            {2, 3, 5},
                            {9, 7, 10},
                            {8, 1, 19},
                            {16, 30, 1},
                            {22, 3, 4},
                            {13, 11, 17},
                            {12, 10, 9},
                            {1, 1, 6},
                            {66, 4, 3}}) {
    for (const int axes : {1, 2, 3}) {
      expect_right(shape, axes, {1, 2, 3, 5});
    }
  }
}

TEST(Real, LinesOfEveryLengthAreRight) {
  for (std::int64_t n = 1; n <= 140; ++n) {
    expect_right({n, 3, 1}, 1, {1});
    expect_right({n, 17, 1}, 1, {2});
  }
}

/// Held against transforms of complex values: the definition would take minutes.
TEST(Real, LongLinesAreRightAlongEachAxis) {
  for (const Shape shape : {Shape{512, 1, 1},
                            {1000, 2, 1},
                            {1009, 1, 1},
                            {2018, 1, 1},
                            {4096, 1, 1},
                            {4099, 20, 1},
                            {16384, 9, 1},
                            {30030, 1, 1},
                            {16386, 3, 1},
                            {3, 16384, 1},
                            {2, 3, 16411},
                            {4, 8209, 2}}) {
    const Grid grid = real_grid(shape), whole = transformed(shape, grid, Direction::forward, 1, false);
    for (const int threads : {1, 2, 3}) {
      expect_modes<double>(shape, 3, threads, grid, whole);
      expect_modes<float>(shape, 3, threads, grid, whole);
    }
  }
}

TEST(Real, ScalesMultiplyTheResultsOfTheirDirection) {
  for (const Shape shape : {Shape{9, 7, 10}, {22, 3, 1}, {1024, 1, 1}, {1, 1, 1}}) {
    const RealPlan plain(shape, {.threads = 2});
    const RealPlan scaled(shape, {.threads = 2, .forward_scale = -0.25, .backward_scale = 3});
    const Grid grid = real_grid(shape);
    Grid modes = forward(plain, grid), values = backward(plain, modes);
    const Grid scaled_modes = forward(scaled, grid), scaled_values = backward(scaled, modes);
    for (auto& mode : modes) mode *= -0.25;
    for (auto& value : values) value *= 3;
    EXPECT_LT(error(scaled_modes, modes), 1e-15) << text(shape);
    EXPECT_LT(error(scaled_values, values), 1e-15) << text(shape);
  }
}

TEST(Real, ImaginaryPartsOfModesThatAreRealAreIgnored) {
  for (const Shape shape : {Shape{6, 5, 1}, {7, 5, 1}, {1024, 1, 1}, {1021, 1, 1}}) {
    const RealPlan plan(shape, {.threads = 2, .axes = 1});
    Grid modes = forward(plan, real_grid(shape));
    const Grid expected = backward(plan, modes);
    const std::int64_t row = plan.modes().nx;
    for (std::int64_t y = 0; y < shape.ny; ++y) {
      modes[static_cast<std::size_t>(row * y)] += std::complex<double>(0, 5);
      if (shape.nx % 2 == 0) modes[static_cast<std::size_t>(row * (y + 1) - 1)] += std::complex<double>(0, -7);
    }
    EXPECT_EQ(backward(plan, modes), expected) << text(shape);
  }
}

TEST(Real, ANonFiniteValueStaysInItsLine) {
  for (const std::int64_t n : {8, 9, 64, 97}) {
    const Shape shape{n, 6, 1};
    const RealPlan plan(shape, {.threads = 2, .axes = 1});
    Grid grid = real_grid(shape);
    const Grid expected = forward(plan, grid);
    grid[static_cast<std::size_t>(2 * n + 3)] = std::numeric_limits<double>::quiet_NaN();
    const Grid seen = forward(plan, grid);
    const std::int64_t row = plan.modes().nx;
    for (std::int64_t i = 0; i < plan.modes().size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (i / row == 2) {
        EXPECT_FALSE(std::isfinite(seen[at].real())) << n;
      } else {
        EXPECT_EQ(seen[at], expected[at]) << n;
      }
    }
  }
}

TEST(Real, LinesOfVeryDifferentSizesKeepTheirDigits) {
  for (const std::int64_t n : {15, 32}) {
    const Shape shape{n, 2, 1};
    Grid grid = real_grid(shape);
    for (std::int64_t i = 0; i < n; ++i) grid[static_cast<std::size_t>(i)] *= 1e20;
    const RealPlan plan(shape, {.threads = 1, .axes = 1});
    const Grid expected = half_of(shape, reference(shape, grid, Direction::forward, 1)), seen = forward(plan, grid);
    const auto half = static_cast<std::ptrdiff_t>(plan.modes().nx);
    EXPECT_LT(error({seen.begin() + half, seen.end()}, {expected.begin() + half, expected.end()}), 2e-15);
  }
}

TEST(Real, StopsWhenItIsAskedAndWorksAfterwards) {
  const std::int32_t asked = 1, go_on = 0;
  for (const Shape shape : {Shape{12, 10, 9}, {40, 33, 1}, {4096, 1, 1}, {1009, 1, 1}, {3, 1 << 15, 1}}) {
    for (const int threads : {1, 2, 3}) {
      const RealPlan plan(shape, {.threads = threads});
      const Grid grid = real_grid(shape), modes = forward(plan, grid), values = backward(plan, modes);
      EXPECT_THROW(static_cast<void>(forward(plan, grid, &asked)), Stopped) << text(shape);
      EXPECT_THROW(static_cast<void>(backward(plan, modes, &asked)), Stopped) << text(shape);
      EXPECT_EQ(forward(plan, grid, &go_on), modes) << text(shape);
      EXPECT_EQ(backward(plan, modes, &go_on), values) << text(shape);
    }
  }
}

TEST(Real, ArgumentsAreThoseOfComplexPlans) {
  EXPECT_THROW(RealPlan({0, 1, 1}), InvalidArgument);
  EXPECT_THROW(RealPlan({8, 1, 1}, {.axes = 4}), InvalidArgument);
  EXPECT_THROW(RealPlan({8, 1, 1}, {.threads = -1}), InvalidArgument);
  EXPECT_THROW(SingleRealPlan({8, 1, 1}, {.backward_scale = 1e39}), InvalidArgument);
  const RealPlan plan({8, 1, 1}, {.threads = 1});
  EXPECT_EQ(plan.modes().nx, 5);
  Scratch scratch(plan.scratch_bytes());
  std::vector<double> values(8);
  std::vector<std::complex<double>> modes(5);
  EXPECT_THROW(plan.forward(nullptr, modes.data(), scratch.data()), InvalidArgument);
  EXPECT_THROW(plan.backward(modes.data(), nullptr, scratch.data()), InvalidArgument);
  EXPECT_THROW(plan.forward(values.data(), modes.data(), nullptr), InvalidArgument);
}

TEST(Real, TransformsDoAboutHalfTheWork) {
  for (const Shape shape : {Shape{128, 128, 128}, {1024, 1, 1}, {256, 100, 1}}) {
    const Plan plan(shape, {.threads = 1});
    const RealPlan real(shape, {.threads = 1});
    const double all = plan.multiply_add_flops() + plan.lone_flops();
    const double half = real.multiply_add_flops() + real.lone_flops();
    EXPECT_GT(half, 0.4 * all) << text(shape);
    EXPECT_LT(half, 0.75 * all) << text(shape);
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
