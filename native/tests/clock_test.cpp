// threads: none
#include <gtest/gtest.h>

#include <rooftop/clock.hpp>

namespace {

TEST(Clock, NeverGoesBack) {
  std::int64_t last = rooftop::now_ns();
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t now = rooftop::now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, TickIsPositive) { EXPECT_GE(rooftop::clock_tick_ns(), 1); }

}  // namespace
