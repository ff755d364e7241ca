// threads: none
#include <gtest/gtest.h>

#include <cstdint>
#include <rooftop/delay.hpp>

namespace {

TEST(Delay, AddsItsStepInEachCycle) {
  const rooftop::Delay delay;
  for (const std::int64_t cycles : {0, 1, 2, 15, 16, 17, 31, 32, 33, 1000, 1009}) {
    EXPECT_EQ(delay.after(std::int64_t{-7}, cycles), -7 + rooftop::Delay::step * cycles) << cycles;
    EXPECT_EQ(delay.after(std::uint64_t{7}, cycles), static_cast<std::uint64_t>(7 + rooftop::Delay::step * cycles));
  }
}

TEST(Delay, IsOverAtOnceWithoutCycles) {
  const rooftop::Delay delay;
  EXPECT_EQ(delay.after(std::int64_t{5}, 0), 5);
  EXPECT_EQ(delay.after(std::int64_t{5}, -3), 5);
}

TEST(Delay, GivesAZeroThatWaits) {
  const rooftop::Delay delay;
  for (const std::int64_t cycles : {0, 1, 40}) EXPECT_EQ(delay.zero_after(std::int64_t{12345}, cycles), 0);
}

}  // namespace
