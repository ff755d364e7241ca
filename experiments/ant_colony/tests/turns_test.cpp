#include "turns.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

namespace {

/// Takes turns by so many threads until none is left, and notes whose months went by.
void go_through(std::int64_t months, int threads) {
  ants::Turns turns(months);
  std::array<std::atomic<int>, ants::processes> busy{};
  std::array<std::vector<std::int64_t>, ants::processes> seen;
  std::atomic<int> crowded{0};
#pragma omp parallel num_threads(threads)
  while (const auto turn = turns.take()) {
    const std::size_t process = ants::at(turn->process);
    if (++busy[process] != 1) ++crowded;
    for (std::int64_t month = turn->first; month < turn->end; ++month) seen[process].push_back(month);
    --busy[process];
    turns.give_back(*turn);
  }
  EXPECT_EQ(crowded, 0);
  for (const auto& own : seen) {
    ASSERT_EQ(own.size(), ants::at(months));
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(own[i], static_cast<std::int64_t>(i));
  }
}

TEST(Turns, GoThroughEachProcessesMonthsInOrder) {
  for (const std::int64_t months : {1, 7, 31, 32, 33, 1000}) {
    for (const int threads : {1, 2, 3, 8, 11}) {
      SCOPED_TRACE(months);
      go_through(months, threads);
    }
  }
}

TEST(Turns, AreTheirsWhoHaveFallenBehind) {
  ants::Turns turns(64);
  std::vector<ants::Turns::Turn> taken;
  while (const auto turn = turns.take()) taken.push_back(*turn);
  ASSERT_EQ(taken.size(), ants::at(ants::processes));  // each is somebody's
  turns.give_back(taken[5]);
  const auto again = turns.take();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->process, 5);
  EXPECT_EQ(again->first, 2);
  turns.give_back(*again);
  turns.give_back(taken[2]);
  EXPECT_EQ(turns.take()->process, 2);
}

}  // namespace
