// Colonies' rounds, handed out to threads: each region once, in its colony's order, whoever takes it.
#include "schedule.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace rooftop::routing {
namespace {

/// Goes through all shifts by so many threads, and holds each against what must have been before it.
void go_through(std::size_t colonies, City regions, int rounds, int threads) {
  Schedule schedule(colonies, regions, rounds);
  struct Seen {
    std::atomic<int> gathered{0}, out{0};
    std::vector<std::atomic<int>> times;
  };
  std::vector<Seen> seen(colonies);
  for (Seen& of : seen) of.times = std::vector<std::atomic<int>>(index(regions) * static_cast<std::size_t>(rounds));
  std::atomic<int> early{0};
  const auto work = [&] {
    while (const auto shift = schedule.take()) {
      Seen& of = seen[shift->colony];
      ++of.out;
      if (of.gathered != shift->round) ++early;
      ++of.times[static_cast<std::size_t>(shift->round) * index(regions) + index(shift->region)];
      --of.out;
      if (!schedule.give_back(*shift)) continue;
      if (of.out != 0) ++early;
      ++of.gathered;
      schedule.gathered(*shift);
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(early, 0);
  for (const Seen& of : seen) {
    EXPECT_EQ(of.gathered, rounds);
    for (const auto& times : of.times) EXPECT_EQ(times, 1);
  }
}

TEST(Schedule, HandsOutEachRegionOnceInItsRound) {
  for (const std::size_t colonies : {1U, 2U, 3U, 8U}) {
    for (const City regions : {1, 2, 7}) {
      for (const int rounds : {1, 2, 16}) {
        for (const int threads : {1, 2, 3, 8}) {
          SCOPED_TRACE(testing::Message() << colonies << " colonies, " << regions << " regions, " << rounds
                                          << " rounds, " << threads << " threads");
          go_through(colonies, regions, rounds, threads);
        }
      }
    }
  }
}

TEST(Schedule, LetsAColonyGoOnWhileAnotherIsOut) {
  Schedule schedule(2, 1, 2);
  const auto slow = schedule.take(), fast = schedule.take();
  ASSERT_TRUE(slow && fast);
  EXPECT_NE(slow->colony, fast->colony);
  ASSERT_TRUE(schedule.give_back(*fast));
  schedule.gathered(*fast);
  const auto next = schedule.take();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->colony, fast->colony);
  EXPECT_EQ(next->round, 1);
}

TEST(Schedule, LetsNobodyWaitForTheLastRounds) {
  Schedule schedule(1, 2, 1);
  const auto one = schedule.take(), other = schedule.take();
  ASSERT_TRUE(one && other);
  EXPECT_FALSE(schedule.take());
  EXPECT_FALSE(schedule.give_back(*other));
  EXPECT_TRUE(schedule.give_back(*one));
  schedule.gathered(*one);
  EXPECT_FALSE(schedule.take());
}

}  // namespace
}  // namespace rooftop::routing
