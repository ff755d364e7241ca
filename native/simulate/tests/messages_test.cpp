// threads: none
/// Times of messages against LogGP's formulas.
#include <gtest/gtest.h>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

constexpr double o = 1e-7, L = 1e-6, G = 1e-9, handshake = 2e-6, precision = 3e-9;

json to(int rank, double bytes) { return {{"op", "send"}, {"to", rank}, {"bytes", bytes}}; }
json from(int rank) { return {{"op", "recv"}, {"from", rank}}; }
json work(double seconds) { return {{"op", "work"}, {"seconds", seconds}}; }
json waits(std::vector<int> requests) { return {{"op", "wait"}, {"requests", requests}}; }
json begun(json operation, int request) {
  operation["request"] = request;
  return operation;
}

TEST(Messages, EagerTakesOverheadsLatencyAndBytes) {
  for (const double bytes : {0.0, 8.0, 256.0, 257.0, 1000.0}) {
    const auto ended = replay(crossbar(2), recording({json::array({to(1, bytes)}), json::array({from(0)})}));
    ASSERT_EQ(ended.status, 0) << ended.message;
    EXPECT_NEAR(ended.seconds(), 2 * o + L + bytes * G, precision) << bytes;
  }
}

TEST(Messages, RendezvousTakesAHandshakeMore) {
  for (const double bytes : {1001.0, 1e6}) {
    const auto ended = replay(crossbar(2), recording({json::array({to(1, bytes)}), json::array({from(0)})}));
    ASSERT_EQ(ended.status, 0) << ended.message;
    EXPECT_NEAR(ended.seconds(), 2 * o + handshake + L + bytes * G, precision) << bytes;
  }
}

TEST(Messages, PingPongIsTwiceTheWay) {
  const auto ended = replay(crossbar(2), recording({{to(1, 500), from(1)}, {from(0), to(0, 500)}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 2 * (2 * o + L + 500 * G), 2 * precision);
}

TEST(Messages, ALateReceiveWaitsOnlyForTheAnswer) {
  const auto ended = replay(crossbar(2), recording({json::array({to(1, 1e6)}), {work(1e-3), from(0)}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 1e-3 + handshake / 2 + 1e6 * G + L + o, precision);
}

TEST(Messages, AnEagerMessageHasComeWhileItsReceiverComputes) {
  const auto ended = replay(crossbar(2), recording({json::array({to(1, 1000)}), {work(1e-3), from(0)}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 1e-3 + o, precision);
}

TEST(Messages, TwoShareALink) {
  const auto ended = replay(crossbar(3), recording({json::array({to(2, 1e6)}),
                                                    json::array({to(2, 1e6)}),
                                                    {begun(from(0), 1), begun(from(1), 2), waits({1, 2})}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), o + handshake + 2e6 * G + L + 2 * o, 2 * precision);
}

TEST(Messages, AreMatchedInOrder) {
  const auto ended =
      replay(crossbar(2),
             recording({{to(1, 100), to(1, 1e6)}, {begun(from(0), 1), begun(from(0), 2), waits({2}), waits({1})}}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  // The second one leaves after the first one's bytes.
  EXPECT_NEAR(ended.seconds(), 2 * o + 100 * G + handshake + 1e6 * G + L + 2 * o, 2 * precision);
}

TEST(Messages, OfANodeCrossItsMemoryTwice) {
  json machine = crossbar(1);
  machine["node_of"] = {0, 0};
  machine["memory_bytes_per_s"] = 1e9;
  const auto ended = replay(machine, recording({json::array({to(1, 1e6)}), json::array({from(0)})}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.seconds(), 2 * o + handshake + L + 2e6 * G, precision);
}

TEST(Messages, ShareTheMemoryWithComputing) {
  json machine = crossbar(2);
  machine["node_of"] = {0, 1, 0};
  machine["memory_bytes_per_s"] = 1e9;
  // A message and a sweep of 1 MB each, of node 0: together they take what 2 MB take.
  const json sweep{{"op", "work"}, {"bytes", 1e6}};
  const auto ended =
      replay(machine, recording({json::array({to(1, 1e6)}), json::array({from(0)}), json::array({sweep})}));
  ASSERT_EQ(ended.status, 0) << ended.message;
  EXPECT_NEAR(ended.answer()["ranks"][2]["ended_s"].get<double>(), 2e-3, 2e-6);
}

TEST(Messages, ThatTakeNoTimeStillWaitForEachOther) {
  json machine = crossbar(2);
  machine["instant_messages"] = true;
  for (auto& way : {&machine["within"], &machine["between"]}) {
    way->update(json{{"overhead_s", 0}, {"latency_s", 0}, {"handshake_s", 0}, {"bytes_per_s", 1e18}});
  }
  // By rendezvous the sender waits until the receive is posted, an eager one does not.
  for (const double bytes : {1e9, 100.0}) {
    const auto ended = replay(machine, recording({{to(1, bytes), work(1e-3)}, {work(2e-3), from(0)}}));
    ASSERT_EQ(ended.status, 0) << ended.message;
    EXPECT_NEAR(ended.seconds(), bytes > 1000 ? 3e-3 : 2e-3, precision) << bytes;
  }
}

TEST(Messages, OfTwoThatSendFirstNeitherWaitsWithoutALimit) {
  json machine = crossbar(2);
  const auto swap = [](int other) {
    return json::array(
        {{{"op", "send"}, {"to", other}, {"bytes", 5000}}, {{"op", "recv"}, {"from", other}, {"bytes", 5000}}});
  };
  const std::string both = recording({swap(1), swap(0)});
  EXPECT_NE(replay(machine, both).message.find("2 ranks wait for ever"), std::string::npos);
  for (const char* way : {"within", "between"}) {
    machine[way]["sender_waits"] = false;
    machine[way]["handshake_s"] = 0;
  }
  const auto ended = replay(machine, both);
  ASSERT_EQ(ended.status, 0) << ended.message;
  // The one that sends last finds a receive, and sends its bytes before it receives.
  EXPECT_NEAR(ended.seconds(), 2 * 1e-7 + 1e-6 + 2 * 5000e-9, 1e-8);
}

TEST(Messages, OneThatIsNeverSentIsNamed) {
  const auto ended = replay(crossbar(2), recording({json::array(), json::array({from(0)})}));
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.message.find("rank 1 waits for a message that rank 0 never sends"), std::string::npos)
      << ended.message;
}

TEST(Messages, OneThatIsNeverReceivedIsNamed) {
  const auto ended = replay(crossbar(2), recording({json::array({to(1, 8)}), json::array()}));
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.message.find("rank 1 never receives a message from rank 0"), std::string::npos) << ended.message;
}

TEST(Messages, TheSameBytesTwice) {
  std::vector<json> bodies;
  for (int rank = 0; rank < 7; ++rank) {
    bodies.push_back({work(1e-6 * rank),
                      begun(from((rank + 6) % 7), 1),
                      to((rank + 1) % 7, 1e4 * (rank + 1)),
                      waits({1}),
                      {{"op", "alltoall"}, {"bytes", 3000}}});
  }
  const auto first = replay(crossbar(7), recording(bodies)), second = replay(crossbar(7), recording(bodies));
  ASSERT_EQ(first.status, 0) << first.message;
  EXPECT_EQ(first.out, second.out);
}

}  // namespace
}  // namespace rooftop::simulate
