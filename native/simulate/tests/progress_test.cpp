// threads: none
/// The progress rule: what proceeds of a transfer while its ranks compute.
#include <gtest/gtest.h>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

json of(const std::string& operation, json fields) {
  fields["op"] = operation;
  return fields;
}

/// Rank 0 sends 30 ms, and both compute 12 ms meanwhile.
double overlapped(const json& machine, double polls = 0) {
  const json work = of("work", {{"seconds", 12e-3}, {"polls", polls}});
  const json waits = of("wait", {{"requests", {1}}});
  const auto ended = replay(machine, recording({{of("send", {{"to", 1}, {"bytes", 30e6}, {"request", 1}}), work, waits},
                                                {of("recv", {{"from", 0}, {"request", 1}}), work, waits}}));
  EXPECT_EQ(ended.status, 0) << ended.message;
  return ended.status == 0 ? ended.seconds() : 0;
}

constexpr double near = 1e-5;  // latencies

TEST(Progress, InCallsOnlyNothingIsHidden) { EXPECT_NEAR(overlapped(crossbar(2)), 42e-3, near); }

TEST(Progress, ByHardwareAllIsHidden) { EXPECT_NEAR(overlapped(crossbar(2, "hardware")), 30e-3, near); }

TEST(Progress, AShareOfTheBandwidthIsHidden) { EXPECT_NEAR(overlapped(crossbar(2, "calls", 5.0 / 12)), 37e-3, near); }

TEST(Progress, TestCallsLetItProceed) { EXPECT_NEAR(overlapped(crossbar(2), 100), 30e-3, near); }

TEST(Progress, OneTestCallMovesAFragment) {
  json machine = crossbar(2);
  machine["between"]["fragment_bytes"] = 1e6;
  EXPECT_NEAR(overlapped(machine, 6), 36e-3, near);
}

TEST(Progress, AThreadTakesACoreFromTheTeam) {
  json machine = crossbar(2, "thread");
  machine["cores"] = 4;
  const json work = of("work", {{"flops", 12e6 * 4}, {"threads", 4}});
  const json waits = of("wait", {{"requests", {1}}});
  const auto ended = replay(machine, recording({{of("send", {{"to", 1}, {"bytes", 1e6}, {"request", 1}}), work, waits},
                                                {of("recv", {{"from", 0}, {"request", 1}}), work, waits}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 12e-3 * 4 / 3, near);
}

TEST(Progress, AMessageBeginsAtFullSpeedWhereGatesCloseAtThatInstant) {
  json machine = crossbar(3);
  machine["nodes"] = 1;
  machine["node_of"] = {0, 0, 0};
  const auto sends = [](double before) {
    return json{of("work", {{"seconds", before}}), of("send", {{"to", 1}, {"bytes", 16384}, {"request", 1}}),
                of("work", {{"seconds", 0}}), of("wait", {{"requests", {1}}})};
  };
  const json receives = {of("recv", {{"from", 0}, {"request", 1}}), of("work", {{"seconds", 2e-7}}),
                         of("recv", {{"from", 2}, {"request", 2}}), of("wait", {{"requests", {1, 2}}})};
  const auto ended = replay(machine, recording({sends(0), receives, sends(1e-7)}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_LT(ended.seconds(), 1e-4);
}

/// The source's row: an iteration computes 12 ms while an all-to-all of 30 ms is under way.
double ft(bool pipelined, double share) {
  constexpr int ranks = 16;
  const double block = 30e-3 * 1e9 / (ranks - 1);
  const json work = of("work", {{"seconds", 12e-3}});
  json body = {of("alltoall", {{"bytes", block}}), work};
  if (pipelined) {
    body = {of("alltoall", {{"bytes", block}, {"request", 1}}), work, of("wait", {{"requests", {1}}})};
  }
  const auto ended = replay(crossbar(ranks, "calls", share),
                            recording_of_all(ranks, json::array({of("loop", {{"times", 1000}, {"body", body}})})));
  EXPECT_EQ(ended.status, 0) << ended.message;
  if (ended.status != 0) return 0;
  EXPECT_LT(ended.answer()["loops"][0]["simulated"], 10);
  return ended.seconds();
}

TEST(Progress, BlockingTakesTheSum) { EXPECT_NEAR(ft(false, 5.0 / 12), 42, 0.2); }

TEST(Progress, PipelinedHidesTheShare) { EXPECT_NEAR(ft(true, 5.0 / 12), 37, 0.2); }

TEST(Progress, PipelinedWithoutProgressHidesNothing) { EXPECT_NEAR(ft(true, 0), 42, 0.2); }

}  // namespace
}  // namespace rooftop::simulate
