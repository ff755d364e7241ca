// threads: none
/// Collective calls whose blocks differ: their bytes, beside those of equal blocks and of closed forms.
#include <gtest/gtest.h>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

constexpr double o = 1e-7, L = 1e-6, G = 1e-9, handshake = 2e-6, precision = 5e-9;

double sent(const Ended& ended, int rank) {
  EXPECT_EQ(ended.status, 0) << ended.message;
  return ended.status == 0
             ? ended.answer().at("ranks").at(static_cast<std::size_t>(rank)).at("sent_bytes").get<double>()
             : -1;
}

json counts(int ranks) {
  json found = json::array();
  for (int rank = 0; rank < ranks; ++rank) found.push_back(100 * (rank + 1));
  return found;
}

TEST(UnevenCollectives, EqualCountsAreEqualBlocks) {
  for (const char* name : {"allgather", "reduce_scatter"}) {
    for (const int ranks : {2, 5}) {
      for (const char* algorithm : {"ring", "bruck", "linear"}) {
        if (std::string(name) == "reduce_scatter" && std::string(algorithm) != "ring") continue;
        const json choice{{"allgather", algorithm}};
        const json equal = json::array({{{"op", name}, {"bytes", 500}}});
        const json same =
            json::array({{{"op", name}, {"counts", std::vector<int>(static_cast<std::size_t>(ranks), 500)}}});
        EXPECT_DOUBLE_EQ(replay(crossbar(ranks), recording_of_all(ranks, equal), choice).seconds(),
                         replay(crossbar(ranks), recording_of_all(ranks, same), choice).seconds())
            << name << ranks << algorithm;
      }
    }
  }
}

TEST(UnevenCollectives, EachBlockGoesAroundTheRing) {
  const json call = json::array({{{"op", "allgather"}, {"counts", counts(5)}}});
  const auto ended = replay(crossbar(5), recording_of_all(5, call));
  // All blocks but that of the next rank, which has it.
  for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(sent(ended, rank), 1500 - 100 * ((rank + 1) % 5 + 1)) << rank;
  const json reduce = json::array({{{"op", "reduce_scatter"}, {"counts", counts(5)}}});
  const auto reduced = replay(crossbar(5), recording_of_all(5, reduce));
  for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(sent(reduced, rank), 1500 - 100 * (rank + 1)) << rank;
}

TEST(UnevenCollectives, OfBruckAndLinear) {
  const json call = json::array({{{"op", "allgather"}, {"counts", counts(4)}}});
  const auto bruck = replay(crossbar(4), recording_of_all(4, call), {{"allgather", "bruck"}});
  EXPECT_EQ(sent(bruck, 3), 400 + (400 + 100));
  const auto linear = replay(crossbar(4), recording_of_all(4, call), {{"allgather", "linear"}});
  EXPECT_EQ(sent(linear, 3), 3 * 400);
}

TEST(UnevenCollectives, TheRootExchangesEachBlockByItself) {
  for (const int ranks : {1, 3, 5}) {
    std::vector<json> gather, scatter;
    for (int rank = 0; rank < ranks; ++rank) {
      gather.push_back(json::array({{{"op", "gatherv"}, {"root", ranks - 1}, {"bytes", 100 * (rank + 1)}}}));
      json one{{"op", "scatterv"}, {"root", ranks - 1}};
      if (rank == ranks - 1) one["counts"] = counts(ranks);
      scatter.push_back(json::array({one}));
    }
    const auto gathered = replay(crossbar(ranks), recording(gather));
    const auto scattered = replay(crossbar(ranks), recording(scatter));
    for (int rank = 0; rank + 1 < ranks; ++rank) {
      EXPECT_EQ(sent(gathered, rank), 100 * (rank + 1));
      EXPECT_EQ(sent(scattered, rank), 0);
    }
    EXPECT_EQ(sent(gathered, ranks - 1), 0);
    EXPECT_EQ(sent(scattered, ranks - 1), 50 * ranks * (ranks - 1));
  }
  const auto two = replay(crossbar(2), recording({json::array({{{"op", "gatherv"}, {"bytes", 2000}, {"root", 1}}}),
                                                  json::array({{{"op", "gatherv"}, {"root", 1}}})}));
  EXPECT_NEAR(two.seconds(), 2 * o + handshake + L + 2000 * G, precision);
}

TEST(UnevenCollectives, CountsOfOtherRanksAreRefused) {
  for (const char* name : {"allgather", "reduce_scatter", "scatterv", "alltoall"}) {
    const auto ended = replay(crossbar(3), recording_of_all(3, json::array({{{"op", name}, {"counts", {1, 2}}}})));
    EXPECT_EQ(ended.status, 2) << name;
    EXPECT_NE(ended.message.find("2 counts, expected one for each of 3 ranks"), std::string::npos) << ended.message;
  }
}

}  // namespace
}  // namespace rooftop::simulate
