// threads: none
#include "metered.hpp"

#include <gtest/gtest.h>

#include <rooftop/clock.hpp>

namespace {

constexpr std::int64_t calls = 4000, call_ns = 5000;

void lasts() {
  for (const std::int64_t end_ns = rooftop::now_ns() + call_ns; rooftop::now_ns() < end_ns;) continue;
}

TEST(Meter, TimesSomeCallsForAllOfThem) {
  ants::Ledger ledger;
  ants::Meter meter;
  for (int month = 1; month <= 2; ++month) {
    meter.start(true);
    for (std::int64_t call = 0; call < calls; ++call) meter.measure(lasts);
    meter.into(ledger);
    EXPECT_EQ(ledger.allocations, month * calls);
    // No call ends early; what the counter and the clock differ by over so short a time is far less.
    EXPECT_GE(ledger.allocation_ns, month * calls * call_ns * 9 / 10);
  }
}

TEST(Meter, CountsWhatItDoesNotTime) {
  ants::Ledger ledger;
  ants::Meter meter;
  meter.start(false);
  meter.measure(lasts);
  meter.into(ledger);
  EXPECT_EQ(ledger.allocations, 1);
  EXPECT_EQ(ledger.allocation_ns, 0);
}

TEST(Meter, MakesEveryCallOnce) {
  ants::Meter meter;
  meter.start(true);
  int made = 0;
  for (int call = 0; call < 1000; ++call) meter.measure([&] { ++made; });
  EXPECT_EQ(made, 1000);
}

}  // namespace
