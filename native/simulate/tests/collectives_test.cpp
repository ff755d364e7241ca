// threads: none
/// Collective calls against closed forms, and on any number of ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

constexpr double o = 1e-7, L = 1e-6, G = 1e-9, handshake = 2e-6, precision = 5e-9;

json call(const std::string& name, double bytes) { return json::array({{{"op", name}, {"bytes", bytes}}}); }

double seconds(int ranks, const std::string& name, double bytes, const json& choices = json::object()) {
  const auto ended = replay(crossbar(ranks), recording_of_all(ranks, call(name, bytes)), choices);
  EXPECT_EQ(ended.status, 0) << name << " of " << ranks << choices << ended.message;
  return ended.status == 0 ? ended.seconds() : NAN;
}

TEST(Collectives, PairwiseOnACrossbarTakesAllSteps) {
  const double step = 2 * o + handshake + L + 4096 * G;
  for (const int ranks : {2, 3, 5, 7, 8}) {
    EXPECT_NEAR(seconds(ranks, "alltoall", 4096), (ranks - 1) * step, ranks * precision) << ranks;
  }
}

TEST(Collectives, AGrainIsTheSameBytes) {
  const double fine = seconds(9, "alltoall", 1e5), coarse = seconds(9, "alltoall", 1e5, {{"grain", 4}});
  EXPECT_NEAR(coarse, fine, 0.03 * fine);
}

TEST(Collectives, AWindowHidesLatency) {
  const double one = seconds(9, "alltoall", 2000), eight = seconds(9, "alltoall", 2000, {{"window", 8}});
  EXPECT_NEAR(one, 8 * (2 * o + handshake + L + 2000 * G), 9 * precision);
  EXPECT_LT(eight, one - 7 * L);
  EXPECT_GT(eight, 8 * (2000 * G + o));
}

TEST(Collectives, TheRingCarriesHalfTheRanksTimesAsMuch) {
  EXPECT_NEAR(seconds(5, "alltoall", 1000, {{"alltoall", "ring"}}),
              4 * (2 * o + L) + 3 * handshake + (4 + 3 + 2 + 1) * 1000 * G, 5 * precision);
}

TEST(Collectives, BruckTakesTheLogarithm) {
  EXPECT_NEAR(seconds(8, "alltoall", 100, {{"alltoall", "bruck"}}), 3 * (2 * o + L + 400 * G) + 2 * 40 * 100 / 1e10,
              4 * precision);
}

TEST(Collectives, ABinomialTreeTakesTheLogarithm) {
  EXPECT_NEAR(seconds(8, "bcast", 800), 3 * (2 * o + L + 800 * G), 4 * precision);
}

TEST(Collectives, RecursiveDoublingTakesTheLogarithm) {
  const double step = 2 * o + L + 8 * G + 24 / 1e10;
  EXPECT_NEAR(seconds(8, "allreduce", 8), 3 * step, 4 * precision);
  EXPECT_NEAR(seconds(8, "scan", 8), 3 * step, 4 * precision);
}

TEST(Collectives, AnyNumberOfRanksAndAnyAlgorithm) {
  const std::vector<json> all{
      json::object(),
      {{"alltoall", "linear"}, {"bcast", "flat"}, {"allreduce", "ring"}, {"allgather", "bruck"}, {"reduce", "linear"}},
      {{"alltoall", "ring"}, {"bcast", "chain"}, {"allreduce", "rabenseifner"}, {"allgather", "linear"}},
      {{"alltoall", "bruck"}, {"bcast", "near_first"}, {"allreduce", "reduce_bcast"}},
      {{"alltoall", "two_level"}, {"bcast", "scatter_allgather"}, {"segment_bytes", 700}}};
  json calls = json::array();
  for (const char* name : {"barrier", "alltoall", "bcast", "allreduce", "allgather", "reduce", "gather", "scatter",
                           "reduce_scatter", "scan"}) {
    calls.push_back({{"op", name}, {"bytes", 5000}});
  }
  for (const int ranks : {1, 2, 3, 5, 7}) {
    for (const json& choices : all) {
      const auto ended = replay(crossbar(ranks), recording_of_all(ranks, calls), choices);
      ASSERT_EQ(ended.status, 0) << choices << ranks << ended.message;
      EXPECT_EQ(ended.seconds() > 0, ranks > 1) << choices << ranks;
    }
  }
}

TEST(Collectives, TwoLevelsSendOneMessageToEachOtherNode) {
  json machine = crossbar(4);
  machine["node_of"] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  const auto ended = replay(machine, recording_of_all(12, call("alltoall", 100)), {{"alltoall", "two_level"}});
  ASSERT_EQ(ended.status, 0) << ended.message;
  double out = 0;
  const json answer = ended.answer();
  for (const auto& link : answer["links"]) {
    if (link[0] == "node0.out") out = link[1];
  }
  EXPECT_EQ(out, 3 * 9 * 100);
  EXPECT_EQ(answer["ranks"][0]["messages"], 2 + 3);
}

TEST(Collectives, OfAGroupConcernItsMembers) {
  std::string text = json{{"format", "rooftop/recording/1"}, {"ranks", 4}, {"groups", {{"odd", {1, 3}}}}}.dump() + "\n";
  text += json{{"ranks", {0, 2}}, {"body", json::array()}}.dump() + "\n";
  text += json{{"ranks", {1, 3}}, {"body", {{{"op", "bcast"}, {"bytes", 8}, {"group", "odd"}, {"root", 1}}}}}.dump();
  const auto ended = replay(crossbar(4), text);
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 2 * o + L + 8 * G, precision);
}

TEST(Collectives, AnUnknownAlgorithmIsNamed) {
  const auto ended = replay(crossbar(2), recording_of_all(2, call("bcast", 8)), {{"bcast", "star"}});
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.message.find("'star'"), std::string::npos);
}

TEST(Collectives, ACallThatIsNotSimulatedIsNamed) {
  const auto ended = replay(crossbar(2), recording_of_all(2, call("exscan", 8)));
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.message.find("'exscan' is not simulated"), std::string::npos) << ended.message;
}

}  // namespace
}  // namespace rooftop::simulate
