/// Blocks of tiles of any size give the same bits, and measured plans try those that fit the L2 cache.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "measure.hpp"
#include "races_only.hpp"
#include "scheduled_run.hpp"

namespace rooftop::conv::internal {
namespace {

using running::races_only;

class BlockSizes : public testing::TestWithParam<Shape> {};

TEST_P(BlockSizes, LeaveTheBitsAlone) {
  const Convolution convolution(GetParam());
  for (const int m : {2, 4, 6}) {
    for (const Layout layout : {Layout::nchw, Layout::blocked}) {
      // Each layout with a form of the filter, which has bits of its own.
      const Options options{.input = layout,
                            .output = layout,
                            .filter = layout == Layout::nchw ? FilterForm::plain : FilterForm::transformed};
      const auto run = [&](const Schedule& schedule) {
        return scheduled_run(convolution, schedule, options, GuardedArray::Place::line);
      };
      const std::vector<float> whole = run({.m = m, .block_tiles = 1000});
      ASSERT_EQ(whole.size(), output_floats(make_geometry(GetParam(), options)));
      for (const Sharing sharing : {Sharing::tiles, Sharing::panels, Sharing::blocks}) {
        for (const int threads : {1, 2, 3}) {
          for (const Index tiles : {1, 5, 12, 24, 72}) {
            const std::vector<float> cut = run({.m = m, .block_tiles = tiles, .sharing = sharing, .threads = threads});
            ASSERT_EQ(cut.size(), whole.size());
            EXPECT_EQ(std::memcmp(cut.data(), whole.data(), whole.size() * sizeof(float)), 0)
                << "F(" << m << "), blocks of " << tiles << " tiles, " << threads << " threads";
          }
        }
      }
    }
  }
}

/// One tile, fewer than a block, several blocks of which the last is smaller; primes, more channels than one sum.
std::vector<Shape> shapes() {
  std::vector<Shape> found{{.n = 1, .c = 17, .h = 4, .w = 4, .k = 33},
                           {.n = 2, .c = 6, .h = 13, .w = 11, .k = 19, .padding = 1}};
  if (races_only) return found;
  found.push_back({.n = 1, .c = 67, .h = 23, .w = 29, .k = 16, .padding = 1});
  found.push_back({.n = 3, .c = 70, .h = 12, .w = 12, .k = 80, .padding = 1});
  return found;
}

INSTANTIATE_TEST_SUITE_P(Shapes, BlockSizes, testing::ValuesIn(shapes()), test_name);

/// Kernels with 32 registers, as far as a schedule depends on them.
const Kernels wide{
    .target = "", .lanes = 16, .panel = 64, .run = {}, .transform_filter = {}, .to_blocked = {}, .from_blocked = {}};

/// The tiles in a block of F(4)'s candidates on two threads: the cost model's first, then smaller ones.
std::vector<Index> blocks_tried(std::int64_t channels, std::int64_t side, Index l2_bytes) {
  const Shape shape{.n = 16, .c = channels, .h = side, .w = side, .k = channels, .padding = 1};
  const Options options{.input = Layout::blocked, .output = Layout::blocked, .algorithm = Algorithm::f4};
  const Geometry geometry = make_geometry(shape, options);
  std::vector<Index> tiles;
  for (const auto& [schedule, smaller] : candidates(geometry, options, 2, wide, l2_bytes)) {
    if (schedule.sharing != Sharing::tiles) continue;
    EXPECT_EQ(smaller, !tiles.empty());
    tiles.push_back(schedule.block_tiles);
  }
  return tiles;
}

TEST(Candidates, AreBlocksThatFitTheL2Cache) {
  constexpr Index mebibyte = Index{1} << 20;
  EXPECT_EQ(blocks_tried(64, 224, mebibyte), (std::vector<Index>{72, 48, 24}));
  EXPECT_EQ(blocks_tried(128, 112, mebibyte), (std::vector<Index>{72, 30, 12}));
  EXPECT_EQ(blocks_tried(256, 56, mebibyte), (std::vector<Index>{72, 18}));
  EXPECT_EQ(blocks_tried(512, 28, mebibyte / 4), (std::vector<Index>{72})) << "none that a product is worth";
  EXPECT_EQ(blocks_tried(64, 224, 2 * mebibyte), (std::vector<Index>{72, 48})) << "more than 72 fit";
  EXPECT_EQ(blocks_tried(512, 28, 2 * mebibyte), (std::vector<Index>{72, 18}));
}

TEST(Candidates, AreNoneWhereTheBlocksWouldBeTheSame) {
  const Options options{.algorithm = Algorithm::f4};
  for (const Shape& shape : {Shape{.n = 1, .c = 64, .h = 4, .w = 4, .k = 64, .padding = 1},
                             Shape{.n = 1, .c = 64, .h = 20, .w = 20, .k = 64, .padding = 1},
                             Shape{.n = 1, .c = 3, .h = 224, .w = 224, .k = 64, .padding = 1}}) {
    const Geometry geometry = make_geometry(shape, options);
    EXPECT_EQ(candidates(geometry, options, 2, wide, Index{1} << 20).size(), estimates(geometry, 4, 2, wide).size())
        << to_string(shape);
  }
}

TEST(Candidates, HoldWhatTheyPromise) {
  for (const std::int64_t channels : {6, 64, 100, 256, 512}) {
    for (const int m : {2, 4, 6}) {
      for (const Index l2_bytes : {Index{256} << 10, Index{512} << 10, Index{1} << 20, Index{2} << 20}) {
        // Whole tiles of every size, so that each takes all positions of V and M.
        const Shape shape{.n = 4, .c = channels, .h = 96, .w = 96, .k = channels, .padding = 1};
        const Geometry geometry = make_geometry(shape, {});
        for (const Sharing sharing : {Sharing::tiles, Sharing::panels}) {
          const Schedule large{.m = m, .block_tiles = 1000, .sharing = sharing, .threads = 3};
          Index before = large.block_tiles;
          for (const Schedule& smaller : smaller_blocks(geometry, large, wide, l2_bytes)) {
            const Tiling tiling = make_job(geometry, smaller, wide.panel).tiling;
            EXPECT_LT(smaller.block_tiles, before);
            EXPECT_GE(smaller.block_tiles, 12);
            before = smaller.block_tiles;
            const Index positions = Index{m + 2} * (m + 2);
            EXPECT_LE(positions * (tiling.v_stride + tiling.m_stride) * Index{sizeof(float)}, l2_bytes);
            EXPECT_EQ(smaller.sharing, sharing);
            EXPECT_EQ(smaller.threads, 3);
          }
        }
        EXPECT_TRUE(smaller_blocks(geometry, {.m = m, .block_tiles = 1000, .sharing = Sharing::blocks, .threads = 3},
                                   wide, l2_bytes)
                        .empty());
      }
    }
  }
}

TEST(Candidates, AreClearlyFasterInNineOfTenTurns) {
  EXPECT_TRUE(clearly_faster({1.0, 2.0, 1.0}, {1.1, 2.2, 1.1}));
  EXPECT_FALSE(clearly_faster({1.0, 2.0, 1.0}, {1.1, 2.0, 1.1})) << "one turn of three";
  EXPECT_FALSE(clearly_faster({1.0, 1.0, 1.0}, {1.02, 1.02, 1.02})) << "too little";
  std::vector<double> times(10, 1.0);
  const std::vector<double> than(10, 1.1);
  times[4] = 9;
  EXPECT_TRUE(clearly_faster(times, than)) << "one disturbance in ten turns";
  times[5] = 9;
  EXPECT_FALSE(clearly_faster(times, than));
}

}  // namespace
}  // namespace rooftop::conv::internal
