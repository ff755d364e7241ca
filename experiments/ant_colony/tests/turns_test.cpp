#include "turns.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <atomic>
#include <vector>

namespace {

/// Takes turns by so many threads until none is left, and notes whose months went by.
void go_through(std::int64_t months, int threads) {
  ants::Turns turns(months, threads);
  std::array<std::atomic<int>, ants::processes> busy{};
  std::array<std::vector<std::int64_t>, ants::processes> seen;
  std::atomic<int> crowded{0};
#pragma omp parallel num_threads(threads)
  while (const auto turn = turns.take(omp_get_thread_num())) {
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
  ants::Turns turns(64, 1);
  std::vector<ants::Turns::Turn> taken;
  while (const auto turn = turns.take(0)) taken.push_back(*turn);
  ASSERT_EQ(taken.size(), ants::at(ants::processes));  // each is somebody's
  turns.give_back(taken[5]);
  const auto again = turns.take(0);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->process, 5);
  EXPECT_EQ(again->first, 2);
  turns.give_back(*again);
  turns.give_back(taken[2]);
  EXPECT_EQ(turns.take(0)->process, 2);
}

TEST(Turns, AreAThreadsOwnUntilThoseAreDone) {
  ants::Turns turns(64, 2);
  const auto others = turns.take(1);
  ASSERT_TRUE(others);
  EXPECT_EQ(others->process, 4);
  for (int turn = 0; turn < 4 * 32; ++turn) {
    const auto own = turns.take(0);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->process, turn % 4);
    turns.give_back(*own);
  }
  const auto stolen = turns.take(0);
  ASSERT_TRUE(stolen);
  EXPECT_EQ(stolen->process, 5);
}

TEST(Turns, HaveTheOwnersOfOpenMPsStaticSchedule) {
  for (const int threads : {1, 2, 3, 5, 8, 11}) {
    std::array<int, ants::processes> owner{};
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int process = 0; process < ants::processes; ++process) owner[ants::at(process)] = omp_get_thread_num();
    for (int process = 0; process < ants::processes; ++process) {
      EXPECT_EQ(ants::Turns::owner(process, threads), owner[ants::at(process)]) << process << " of " << threads;
    }
  }
}

}  // namespace
