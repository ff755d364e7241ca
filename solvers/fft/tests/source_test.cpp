/// Forward transforms of what a function writes plane by plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstddef>
#include <vector>

#include "grid.hpp"

namespace rooftop::fft::testing {
namespace {

/// Written by a source, a grid becomes what it does from an array; each plane is asked for once.
template <class Real>
void expect_as_from_an_array(const Shape& shape, const Options& options, bool in_place) {
  const BasicPlan<Real> plan(shape, options);
  const Grid grid = in_single(random_grid(shape, 1));
  const auto values = static_cast<std::size_t>(shape.nx * shape.ny), planes = static_cast<std::size_t>(shape.nz);
  std::vector<std::atomic<int>> asked(planes);
  std::vector<std::complex<Real>> out(grid.size()), apart(grid.size());
  auto& space = in_place ? out : apart;
  Scratch scratch(plan.scratch_bytes());
  const auto source = [&](std::int64_t z, std::complex<Real>* plane) {
    ++asked[static_cast<std::size_t>(z)];
    EXPECT_EQ(plane, space.data() + values * static_cast<std::size_t>(z));
    const auto first = grid.begin() + static_cast<std::ptrdiff_t>(values) * z;
    std::copy(first, first + static_cast<std::ptrdiff_t>(values), plane);
  };
  plan.run_from(source, space.data(), out.data(), scratch.data());
  EXPECT_TRUE(scratch.intact()) << "scratch was overrun";
  EXPECT_TRUE(std::all_of(asked.begin(), asked.end(), [](const auto& times) { return times == 1; })) << text(shape);
  EXPECT_EQ(Grid(out.begin(), out.end()), run(plan, grid, Direction::forward, true))
      << text(shape) << ", " << options.axes << " axes, " << options.threads << " threads"
      << (in_place ? ", in place" : "");
}

TEST(Source, WritesWhatIsTransformed) {
  // Planes that are copied and that are not, of one row, alone, of lines too long for a cache.
  for (const Shape shape : {Shape{9, 7, 10}, {128, 12, 5}, {6, 1, 20}, {1, 1, 8}, {12, 30, 1}, {1200, 1, 1}}) {
    for (const int axes : {1, 2, 3}) {
      for (const int threads : {1, 2, 3}) {
        for (const bool in_place : {false, true}) {
          const Options options{.threads = threads, .axes = axes, .forward_scale = 0.5};
          expect_as_from_an_array<double>(shape, options, in_place);
          expect_as_from_an_array<float>(shape, options, in_place);
        }
      }
    }
  }
}

TEST(Source, ThatIsNoneIsNamed) {
  const Plan plan({4, 4, 4}, {.threads = 1});
  Grid out(64);
  Scratch scratch(plan.scratch_bytes());
  const auto some = [](std::int64_t, std::complex<double>*) {};
  EXPECT_THROW(plan.run_from(nullptr, out.data(), out.data(), scratch.data()), InvalidArgument);
  EXPECT_THROW(plan.run_from(some, nullptr, out.data(), scratch.data()), InvalidArgument);
  EXPECT_THROW(plan.run_from(some, out.data(), nullptr, scratch.data()), InvalidArgument);
}

}  // namespace
}  // namespace rooftop::fft::testing
