// threads: none
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

/// What the library says to a shape and options.
std::string complaint(const Shape& shape, const Options& options = {.threads = 1}) {
  try {
    const Plan plan(shape, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Arguments, LengthsThatCannotBeTransformedAreNamed) {
  EXPECT_NE(complaint({0, 1, 1}).find("nx is 0"), std::string::npos);
  EXPECT_NE(complaint({1, -4, 1}).find("ny is -4"), std::string::npos);
  EXPECT_NE(complaint({1, 1, 8388617}).find("nz is 8388617, expected at most 8388608 or a product of primes up to 31"),
            std::string::npos);
  EXPECT_NE(complaint({std::int64_t{1} << 30, 1, 1}).find("nx is 1073741824"), std::string::npos);
  EXPECT_NE(complaint({1 << 20, 1 << 20, 1 << 20}).find("too large"), std::string::npos);
  EXPECT_NE(complaint({1, 1, 1}, {.threads = -1}).find("threads is -1"), std::string::npos);
  EXPECT_NE(complaint({1, 1, 1}, {.axes = 4}).find("axes is 4, expected 1 to 3"), std::string::npos);
  EXPECT_NE(complaint({1, 1, 1}, {.first_axis = 3}).find("first_axis is 3, expected 0 to 2"), std::string::npos);
  EXPECT_THROW(RealPlan({4, 4, 4}, {.first_axis = 1}), InvalidArgument);
  EXPECT_NE(complaint({1, 1, 1}, {.backward_scale = std::nan("")}).find("a scale is nan"), std::string::npos);
}

TEST(Arguments, PointersThatCannotBeAreNamed) {
  const Plan plan({4, 4, 4}, {.threads = 1});
  Grid grid = random_grid(plan.shape(), 1);
  Scratch scratch(plan.scratch_bytes() + 64);
  auto* const bytes = static_cast<unsigned char*>(scratch.data());
  const Factors factors{nullptr, nullptr, nullptr};
  EXPECT_THROW(plan.run(Direction::forward, nullptr, grid.data(), bytes), InvalidArgument);
  EXPECT_THROW(plan.run(Direction::forward, grid.data(), nullptr, bytes), InvalidArgument);
  EXPECT_THROW(plan.run(Direction::forward, grid.data(), grid.data(), nullptr), InvalidArgument);
  EXPECT_THROW(plan.run(Direction::forward, grid.data(), grid.data(), bytes + 8), InvalidArgument);
  EXPECT_THROW(plan.run(Direction::forward, grid.data(), grid.data(), bytes, &factors), InvalidArgument);
  const Plan lines({4, 4, 4}, {.threads = 1, .axes = 1});
  EXPECT_THROW(lines.run(Direction::backward, grid.data(), grid.data(), bytes, &factors), InvalidArgument);
}

TEST(Arguments, OperationsAreCountedNearTheUsualEstimate) {
  const Plan plan({256, 256, 256}, {.threads = 1});
  const double estimate = 5 * 24 * static_cast<double>(plan.shape().size());
  const double flops = plan.lone_flops() + plan.multiply_add_flops();
  EXPECT_LT(flops, estimate);
  EXPECT_GT(flops, 0.6 * estimate);
}

}  // namespace
}  // namespace rooftop::fft::testing
