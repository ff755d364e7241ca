// threads: none
/// The memory of a node: what one core reaches of it, and what all that is on the node share.
#include <gtest/gtest.h>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

constexpr double memory = 1e10, core = 0.4 * memory, bytes = 1e8, precision = 1e-6;

/// One node, of which one core reaches 40 % of the memory's bandwidth. A message within it takes a core.
json node(int ranks, const std::string& progress = "calls") {
  json machine = crossbar(1, progress);
  machine["cores"] = 8;
  machine["core_bytes_per_s"] = core;
  machine["memory_bytes_per_s"] = memory;
  machine["within"]["bytes_per_s"] = core / 2;
  machine["node_of"] = std::vector<int>(static_cast<std::size_t>(ranks), 0);
  return machine;
}

json sweep(double threads = 1) { return {{"op", "work"}, {"bytes", bytes}, {"threads", threads}}; }
json to(int rank, double size) { return {{"op", "send"}, {"to", rank}, {"bytes", size}}; }
json from(int rank) { return {{"op", "recv"}, {"from", rank}}; }

double taken(const json& machine, const std::string& recorded) {
  const auto ended = replay(machine, recorded);
  EXPECT_EQ(ended.status, 0) << ended.message;
  return ended.status == 0 ? ended.seconds() : 0;
}

TEST(Memory, OneCoreAndTwoTakeWhatTheyReach) {
  for (const int ranks : {1, 2}) {
    EXPECT_NEAR(taken(node(ranks), recording_of_all(ranks, json::array({sweep()}))), bytes / core, precision) << ranks;
  }
}

TEST(Memory, MoreShareTheBus) {
  for (const int ranks : {3, 4, 8}) {
    EXPECT_NEAR(taken(node(ranks), recording_of_all(ranks, json::array({sweep()}))), ranks * bytes / memory, precision)
        << ranks;
  }
}

TEST(Memory, ThreadsReachMoreThanOne) {
  EXPECT_NEAR(taken(node(1), recording_of_all(1, json::array({sweep(2)}))), bytes / (2 * core), precision);
  EXPECT_NEAR(taken(node(1), recording_of_all(1, json::array({sweep(8)}))), bytes / memory, precision);
  // The next piece of work may have another team.
  EXPECT_NEAR(taken(node(1), recording_of_all(1, {sweep(1), sweep(8), sweep(2)})),
              bytes / core + bytes / memory + bytes / (2 * core), precision);
}

TEST(Memory, TheGroupOfARankIsALimit) {
  json machine = node(1);
  machine["rank_bytes_per_s"] = memory / 2;
  EXPECT_NEAR(taken(machine, recording_of_all(1, json::array({sweep(8)}))), 2 * bytes / memory, precision);
}

TEST(Memory, AMessageOfTheNodeIsCopiedByACore) {
  for (const char* progress : {"calls", "hardware"}) {
    EXPECT_NEAR(taken(node(2, progress), recording({json::array({to(1, bytes)}), json::array({from(0)})})),
                2 * bytes / core, 1e-5)
        << progress;
  }
}

TEST(Memory, MessagesOfTheNodeShareTheBusWithWork) {
  // One copies, and two sweep as long: three cores want 120 % of the bus and get a third each.
  for (const char* progress : {"calls", "hardware"}) {
    EXPECT_NEAR(taken(node(4, progress), recording({json::array({to(1, bytes / 2)}), json::array({from(0)}),
                                                    json::array({sweep()}), json::array({sweep()})})),
                3 * bytes / memory, 1e-5)
        << progress;
    // Beside one that sweeps, each has what a core reaches.
    EXPECT_NEAR(taken(node(3, progress),
                      recording({json::array({to(1, bytes / 2)}), json::array({from(0)}), json::array({sweep()})})),
                bytes / core, 1e-5)
        << progress;
  }
}

TEST(Memory, AMessageBetweenNodesIsAsSlowAsItsGap) {
  for (const char* progress : {"calls", "hardware"}) {
    json machine = crossbar(3, progress);
    machine["between"]["bytes_per_s"] = 2.5e8;
    EXPECT_NEAR(taken(machine, recording({json::array({to(1, 1e6)}), json::array({from(0)}), json::array()})),
                1e6 / 2.5e8, 1e-5)
        << progress;
    // Two to one rank take no longer: the link has room for both.
    const json both{{{"op", "recv"}, {"from", 0}, {"request", 0}},
                    {{"op", "recv"}, {"from", 2}, {"request", 1}},
                    {{"op", "wait"}, {"requests", {0, 1}}}};
    EXPECT_NEAR(taken(machine, recording({json::array({to(1, 1e6)}), both, json::array({to(1, 1e6)})})), 1e6 / 2.5e8,
                1e-5)
        << progress;
  }
}

}  // namespace
}  // namespace rooftop::simulate
