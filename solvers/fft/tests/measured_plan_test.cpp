/// Plans whose threads and sweeps are chosen by timing runs: whatever is chosen, results are right.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid.hpp"
#include "measured_ways.hpp"

namespace rooftop::fft::testing {
namespace {

constexpr Shape shapes[] = {{1, 1, 1},     {7, 1, 1},  {64, 1, 1},   {1000, 1, 1}, {1009, 1, 1}, {4096, 1, 1},
                            {30030, 1, 1}, {60, 5, 1}, {128, 30, 1}, {12, 10, 9},  {16, 16, 16}, {37, 1, 5}};

template <class Real>
void expect_like_a_plain_plan(const Shape& shape, int axes, double tolerance) {
  const Options plain{.threads = 2, .axes = axes, .forward_scale = 0.5, .backward_scale = 0.25};
  Options measured = plain;
  measured.measure = true;
  const BasicPlan<Real> expected(shape, plain), plan(shape, measured);
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const Grid grid = in_single(random_grid(shape, 1)), right = run(expected, grid, direction, false);
    for (const bool in_place : {false, true}) {
      EXPECT_LT(error(run(plan, grid, direction, in_place), right), tolerance)
          << text(shape) << ", " << axes << " axes";
    }
  }
}

/// Modes of the values of a grid, and values of these.
template <class Real>
std::vector<Real> there_and_back(const BasicRealPlan<Real>& plan, std::vector<Real>& values,
                                 std::vector<std::complex<Real>>& modes) {
  Scratch scratch(plan.scratch_bytes());
  plan.forward(values.data(), modes.data(), scratch.data());
  std::vector<Real> back(values.size());
  plan.backward(modes.data(), back.data(), scratch.data());
  EXPECT_TRUE(scratch.intact());
  return back;
}

template <class Real>
Grid as_grid(const std::vector<Real>& values) {
  return {values.begin(), values.end()};
}

template <class Real>
void expect_like_a_plain_real_plan(const Shape& shape, int axes, double tolerance) {
  const BasicRealPlan<Real> expected(shape, {.threads = 2, .axes = axes, .forward_scale = 0.5}),
      plan(shape, {.threads = 2, .axes = axes, .forward_scale = 0.5, .measure = true});
  std::vector<Real> values;
  for (const auto& value : random_grid(shape, 1)) values.push_back(static_cast<Real>(value.real()));
  const auto count = static_cast<std::size_t>(plan.modes().size());
  std::vector<std::complex<Real>> modes(count), right(count);
  const std::vector<Real> right_back = there_and_back(expected, values, right);
  const std::vector<Real> back = there_and_back(plan, values, modes);
  EXPECT_LT(error({modes.begin(), modes.end()}, {right.begin(), right.end()}), tolerance) << text(shape);
  EXPECT_LT(error(as_grid(back), as_grid(right_back)), tolerance) << text(shape);
}

void expect_all_right() {
  for (const Shape& shape : shapes) {
    for (const int axes : {1, 2, 3}) {
      if (axes == 2 && shape.nz == 1) continue;  // as three of them
      expect_like_a_plain_plan<double>(shape, axes, 4e-15);
      expect_like_a_plain_plan<float>(shape, axes, 2e-6);
      expect_like_a_plain_real_plan<double>(shape, axes, 4e-15);
      expect_like_a_plain_real_plan<float>(shape, axes, 2e-6);
    }
  }
}

TEST(MeasuredPlans, AreRight) { expect_all_right(); }

TEST(MeasuredPlans, AreRightWhateverIsChosen) {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    internal::leave_choices_to_chance_for_test(seed);
    expect_all_right();
  }
}

TEST(MeasuredPlans, OfLongerLinesAndLargerGridsAreRightWhateverIsChosen) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    internal::leave_choices_to_chance_for_test(seed);
    for (const Shape& shape : {Shape{1 << 16, 1, 1}, {64, 48, 50}, {400, 300, 1}}) {
      expect_like_a_plain_plan<double>(shape, 3, 4e-15);
      expect_like_a_plain_real_plan<float>(shape, 3, 2e-6);
    }
  }
}

TEST(MeasuredPlans, TakeFactorsAndSourcesWhateverIsChosen) {
  const Shape shape{12, 10, 9};
  const SomeFactors factors(shape);
  const Grid grid = random_grid(shape, 1), expected = reference(shape, factors.times(grid), Direction::backward);
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    internal::leave_choices_to_chance_for_test(seed);
    const Plan plan(shape, {.threads = 2, .measure = true});
    EXPECT_LT(error(run(plan, grid, Direction::backward, false, &factors.view()), expected), 4e-15);
    Grid space(grid.size()), out(grid.size());
    Scratch scratch(plan.scratch_bytes());
    plan.run_from(
        [&](std::int64_t z, std::complex<double>* plane) {
          for (std::int64_t i = 0; i < 120; ++i) plane[i] = grid[static_cast<std::size_t>(120 * z + i)];
        },
        space.data(), out.data(), scratch.data());
    EXPECT_LT(error(out, reference(shape, grid, Direction::forward)), 4e-15);
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
