// threads: none
#include "repeats.hpp"

#include <gtest/gtest.h>

namespace rooftop::simulate {
namespace {

TEST(Repeats, LeavesOutWhatTakesAsLong) {
  Repeats loop(2, 100);
  loop.enter(0);
  loop.enter(0);
  // Rank 0 is an iteration ahead.
  EXPECT_TRUE(loop.begin(0));
  loop.end(0, 1);
  for (int i = 1; i <= 4; ++i) {
    EXPECT_TRUE(loop.begin(0));
    EXPECT_TRUE(loop.begin(1));
    loop.end(1, i);
    loop.end(0, i + 1);
  }
  EXPECT_EQ(loop.simulated(), 5);
  EXPECT_EQ(loop.left_out(), 95);
  EXPECT_EQ(loop.period_s(), 1);
  EXPECT_FALSE(loop.begin(0));
  EXPECT_TRUE(loop.begin(1));  // it ends the iteration that the other has ended
  loop.end(1, 5);
  EXPECT_FALSE(loop.begin(1));
}

TEST(Repeats, AnOffsetThatGrowsIsNoRepetition) {
  Repeats loop(2, 50);
  loop.enter(0);
  loop.enter(0);
  for (int i = 1; i <= 50; ++i) {
    for (const int rank : {0, 1}) {
      EXPECT_TRUE(loop.begin(rank));
      loop.end(rank, i * (rank == 0 ? 1.0 : 1.01));
    }
  }
  EXPECT_EQ(loop.left_out(), 0);
  EXPECT_FALSE(loop.begin(0));
}

TEST(Repeats, RanksThatTakeTurnsDoRepeat) {
  Repeats loop(2, 1000);
  loop.enter(0);
  loop.enter(0);
  for (int i = 1; loop.begin(0); ++i) {
    EXPECT_TRUE(loop.begin(1));
    loop.end(0, i + (i % 2 == 0 ? 0.01 : 0));
    loop.end(1, i + (i % 2 == 0 ? 0 : 0.01));
  }
  EXPECT_LT(loop.simulated(), 10);
  EXPECT_NEAR(loop.period_s(), 1, 1e-12);
}

TEST(Repeats, NoneAtAll) {
  Repeats loop(1, 0);
  loop.enter(3);
  EXPECT_FALSE(loop.begin(0));
  EXPECT_EQ(loop.left_out(), 0);
}

}  // namespace
}  // namespace rooftop::simulate
