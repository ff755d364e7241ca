/// Every way to share out the work gives the same bits, whether the cost model would choose it or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "convolution.hpp"
#include "races_only.hpp"
#include "schedule.hpp"
#include "team.hpp"

namespace rooftop::conv::internal {
namespace {

using running::races_only;

/// Looks at the scratch memory of a run.
using Look = std::function<void(const Job& job, std::span<const float> scratch)>;

/// The output of one schedule, from NCHW to NCHW; empty if it wrote where it should not have.
std::vector<float> run(const Convolution& convolution, const Schedule& schedule, const Look& look = {}) {
  const Options options{.filter = schedule.fused_filter ? FilterForm::plain : FilterForm::transformed};
  const Geometry geometry = make_geometry(convolution.shape(), options);
  const Job job = make_job(geometry, schedule, kernels().panel);
  const GuardedArray transformed(filter_floats(job) * sizeof(float));
  const GuardedArray scratch(scratch_floats(job, schedule.threads) * sizeof(float));
  const GuardedArray output(output_floats(geometry) * sizeof(float), GuardedArray::Place::back);
  transformed.poison();
  scratch.poison();
  output.poison();
  const float* filter = convolution.filter().data();
  if (!schedule.fused_filter) {
    kernels().transform_filter(job, filter, transformed.floats().data(), 0, 1);
    filter = transformed.floats().data();
  }
  const Arrays arrays{convolution.image().data(), filter, output.floats().data(), scratch.floats().data()};
  on_team(schedule.threads, [&](int thread, int threads) { kernels().run(job, arrays, thread, threads); });
  if (look) look(job, scratch.floats());
  if (!transformed.intact() || !scratch.intact() || !output.intact()) return {};
  return {output.floats().begin(), output.floats().end()};
}

class EverySharing : public testing::TestWithParam<Shape> {};

TEST_P(EverySharing, GivesTheSameBits) {
  const Convolution convolution(GetParam());
  for (const auto& [m, algorithm] : {std::pair(2, Algorithm::f2), {4, Algorithm::f4}, {6, Algorithm::f6}}) {
    for (const bool fused : {false, true}) {
      const std::vector<float> alone = run(convolution, {m, 7, Sharing::tiles, 1, fused});
      ASSERT_FALSE(alone.empty());
      EXPECT_LE(relative_error(convolution.shape(), alone, convolution.reference()), tolerance(algorithm));
      for (const Sharing sharing : {Sharing::tiles, Sharing::panels, Sharing::blocks}) {
        for (const int threads : {1, 2, 3, 8}) {
          if (races_only && threads != 3 && threads != 8) continue;  // uneven parts, and threads that have none
          for (const Index block_tiles : {1, 7, 1000}) {
            const std::vector<float> shared = run(convolution, {m, block_tiles, sharing, threads, fused});
            ASSERT_EQ(shared.size(), alone.size());
            EXPECT_EQ(std::memcmp(shared.data(), alone.data(), alone.size() * sizeof(float)), 0)
                << to_string(algorithm) << " sharing " << static_cast<int>(sharing) << " threads " << threads
                << " blocks of " << block_tiles << (fused ? " fused" : "");
          }
        }
      }
    }
  }
}

constexpr std::int64_t side = races_only ? 7 : 14;
INSTANTIATE_TEST_SUITE_P(Shapes, EverySharing,
                         testing::Values(Shape{.n = 1, .c = 7, .h = 3, .w = 3, .k = 1},
                                         Shape{.n = 3, .c = 17, .h = 9, .w = 13, .k = 33, .padding = 1},
                                         Shape{.n = 1, .c = 130, .h = side, .w = side, .k = 208, .padding = 1}),
                         test_name);

// Lines that are one thread's and those of the next must not be within reach of what the hardware fetches by itself.
TEST(Scratch, ThreadsKeepApart) {
  const Convolution few({.n = 1, .c = 3, .h = 40, .w = 40, .k = 20, .padding = 1});
  const Convolution many({.n = 2, .c = 20, .h = 24, .w = 24, .k = 70, .padding = 1});
  const auto is_poison = [](float value) { return std::isnan(value); };
  const auto apart = [&](const Job& job, std::span<const float> scratch) {
    for (Index thread = 1; thread < 3; ++thread) {
      const Index begin = job.scratch_floats_shared + thread * job.scratch_floats_per_thread;
      const auto own = scratch.subspan(static_cast<std::size_t>(begin - apart_floats));
      EXPECT_TRUE(std::ranges::all_of(own.first(apart_floats), is_poison)) << "m " << job.tiling.m;
      EXPECT_FALSE(is_poison(own[apart_floats])) << "m " << job.tiling.m << ": thread " << thread << " has nothing";
    }
  };
  EXPECT_FALSE(run(few, {4, run_tiles, Sharing::tiles, 3}, apart).empty());
  EXPECT_FALSE(run(many, {0, 0, Sharing::tiles, 3}, apart).empty());
  for (const int m : {2, 4, 6}) {
    for (const Sharing sharing : {Sharing::tiles, Sharing::panels, Sharing::blocks}) {
      EXPECT_FALSE(run(many, {m, 7, sharing, 3}, apart).empty());
    }
  }
}

std::vector<Sharing> considered(const Shape& shape, int threads) {
  std::vector<Sharing> found;
  const Geometry geometry = make_geometry(shape, {.input = Layout::blocked, .output = Layout::blocked});
  for (const Estimate& estimate : estimates(geometry, 4, threads, kernels())) {
    found.push_back(estimate.schedule.sharing);
  }
  return found;
}

TEST(SharingChoice, CoresThatShareNoCacheNeedNotExchangeTransformedTiles) {
  const std::vector<Sharing> without{Sharing::tiles, Sharing::panels};
  EXPECT_EQ(considered({.n = 1, .c = 64, .h = 112, .w = 112, .k = 128, .padding = 1}, 2), without);
  EXPECT_EQ(considered({.n = 16, .c = 128, .h = 28, .w = 28, .k = 128, .padding = 1}, 2), without);
  EXPECT_EQ(considered({.n = 1, .c = 512, .h = 14, .w = 14, .k = 512, .padding = 1}, 2), without);
}

TEST(SharingChoice, ManyThreadsOnFewTilesMakeThemTogether) {
  const auto ways = considered({.n = 1, .c = 512, .h = 28, .w = 28, .k = 512, .padding = 1}, 64);
  EXPECT_TRUE(std::ranges::count(ways, Sharing::blocks) == 1);
}

}  // namespace
}  // namespace rooftop::conv::internal
