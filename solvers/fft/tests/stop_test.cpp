/// A caller may stop a transform from any thread.
#include <gtest/gtest.h>

#include <cstdint>

#include "brief_request.hpp"
#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

struct Case {
  Shape shape;
  int axes = 3;
};

// Of each sweep: planes and columns, one plane, lines one by one, a long line and several, cut and convolved, and long
// lines along y and z.
const Case cases[] = {{{12, 10, 9}},     {{40, 33, 1}},     {{24, 50, 3}, 1},  {{4096, 1, 1}}, {{1009, 1, 1}},
                      {{1024, 3, 1}, 1}, {{4099, 2, 1}, 1}, {{3, 1 << 16, 1}}, {{2, 3, 16411}}};

class EverySweep : public ::testing::TestWithParam<Case> {};

TEST_P(EverySweep, StopsWhenItIsAskedAndWorksAfterwards) {
  const auto& [shape, axes] = GetParam();
  const Grid grid = random_grid(shape, 1);
  const std::int32_t asked = 1, go_on = 0;
  for (const int threads : {1, 2, 3, 5}) {
    const Plan plan(shape, {.threads = threads, .axes = axes});
    Scratch scratch(plan.scratch_bytes());
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const Grid whole = run(plan, grid, direction, false);
      Grid out(grid.size());
      EXPECT_THROW(plan.run(direction, grid.data(), out.data(), scratch.data(), nullptr, &asked), Stopped);
      plan.run(direction, grid.data(), out.data(), scratch.data(), nullptr, &go_on);
      EXPECT_EQ(out, whole) << text(shape) << ", " << threads << " threads";
    }
  }
}

TEST_P(EverySweep, StopsInTheMiddleWithoutADeadlockOrASilentHole) {
  const auto& [shape, axes] = GetParam();
  const Grid grid = random_grid(shape, 1);
  const Plan plan(shape, {.threads = 3, .axes = axes});
  const Grid whole = run(plan, grid, Direction::forward, false);
  Scratch scratch(plan.scratch_bytes());
  for (int turn = 0; turn < 20; ++turn) {
    const running::BriefRequest request(200 * turn);
    Grid out(grid.size());
    try {
      plan.run(Direction::forward, grid.data(), out.data(), scratch.data(), nullptr, request.flag());
      EXPECT_EQ(out, whole) << text(shape);
    } catch (const Stopped&) {
      EXPECT_TRUE(scratch.intact());
    }
  }
  EXPECT_EQ(run(plan, grid, Direction::forward, false), whole);
}

INSTANTIATE_TEST_SUITE_P(Stop, EverySweep, ::testing::ValuesIn(cases));

TEST(Stop, FactorsAreThoseOfAWholeTransform) {
  for (const Shape shape : {Shape{6, 9, 1}, {33, 1, 1}, {4096, 1, 1}, {6, 5, 7}}) {
    const SomeFactors factors(shape);
    const Grid grid = random_grid(shape, 1);
    const std::int32_t go_on = 0;
    for (const int threads : {1, 2}) {
      const Plan plan(shape, {.threads = threads});
      Scratch scratch(plan.scratch_bytes());
      Grid out(grid.size());
      plan.run(Direction::backward, grid.data(), out.data(), scratch.data(), &factors.view(), &go_on);
      EXPECT_EQ(out, run(plan, grid, Direction::backward, false, &factors.view())) << text(shape);
    }
  }
}

}  // namespace
}  // namespace rooftop::fft::testing
