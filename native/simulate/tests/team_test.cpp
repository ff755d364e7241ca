// threads: none
/// Loops that a team shares out, against schedules that are counted piece by piece.
#include "team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "replay_process.hpp"

namespace rooftop::simulate {
namespace {

/// The next free thread takes a piece, one after the other.
double counted(int pieces, const std::vector<double>& of_piece, double late_s) {
  std::vector<double> free(of_piece.size(), 0);
  free[0] = late_s;
  double ended = late_s;
  for (int piece = 0; piece < pieces; ++piece) {
    const auto next = static_cast<std::size_t>(std::ranges::min_element(free) - free.begin());
    free[next] += of_piece[next];
    ended = std::max(ended, free[next]);
  }
  return ended;
}

TEST(Team, DynamicTakesWhatIsCountedPieceByPiece) {
  for (const int cores : {1, 2, 3, 16}) {
    for (const int pieces : {1, 2, 15, 16, 17, 100, 3001}) {
      for (const double taken : {0.0, 0.3, 1.0}) {
        for (const double late_s : {0.0, 0.7, 40.0}) {
          std::vector<double> of_piece(static_cast<std::size_t>(cores), 1.25);
          if (taken > 0) of_piece[0] = 1 / std::max(0.5, 1 - taken) + 0.25;
          const Team team{.cores = double(cores), .taken = taken, .late_s = late_s};
          const Pieces all{.schedule = Schedule::dynamic, .number = double(pieces), .computing_s = 1, .fetch_s = 0.25};
          EXPECT_NEAR(team_seconds(all, team), std::max(counted(pieces, of_piece, late_s), 0.25 * pieces), 1e-9)
              << cores << " cores, " << pieces << " pieces, " << taken << " cores taken, late by " << late_s;
        }
      }
    }
  }
}

TEST(Team, StaticWaitsForTheSlowestThread) {
  const Pieces all{.schedule = Schedule::fixed, .number = 100, .computing_s = 1};
  EXPECT_DOUBLE_EQ(team_seconds(all, {.cores = 8}), 13);
  EXPECT_DOUBLE_EQ(team_seconds(all, {.cores = 10}), 10);
  EXPECT_DOUBLE_EQ(team_seconds(all, {.cores = 10, .taken = 0.2}), 12.5);
  // Two hardware threads share a core.
  EXPECT_DOUBLE_EQ(team_seconds(all, {.cores = 2.5}), 34 * 3 / 2.5);
}

json of(const std::string& operation, json fields) {
  fields["op"] = operation;
  return fields;
}

/// Rank 0 sends 30 ms; both have 40 pieces of 1 ms on four threads, of which the first waits for the message.
double overlapped(const std::string& progress, double bytes = 0) {
  json machine = crossbar(2, progress);
  machine["cores"] = 4;
  machine["memory_bytes_per_s"] = 1e10;
  const json work =
      of("work",
         {{"flops", 40e6}, {"bytes", bytes}, {"threads", 4}, {"schedule", "dynamic"}, {"pieces", 40}, {"waits", {1}}});
  const auto ended = replay(machine, recording({{of("send", {{"to", 1}, {"bytes", 30e6}, {"request", 1}}), work},
                                                {of("recv", {{"from", 0}, {"request", 1}}), work}}));
  EXPECT_EQ(ended.status, 0) << ended.message;
  return ended.status == 0 ? ended.seconds() : 0;
}

TEST(Team, TheFirstThreadMovesMessagesWhileOthersCompute) {
  // Three threads do 40 pieces in 14 ms; the message takes 30 all the same, in calls or not.
  EXPECT_NEAR(overlapped("calls"), 30e-3, 1e-5);
  EXPECT_NEAR(overlapped("hardware"), 30e-3, 1e-5);
}

TEST(Team, TheFirstThreadJoins) {
  json machine = crossbar(2);
  machine["cores"] = 4;
  const auto taken = [&](double flops, double bytes) {
    const json work = of("work", {{"flops", flops},
                                  {"bytes", bytes},
                                  {"threads", 4},
                                  {"schedule", "dynamic"},
                                  {"pieces", 4000},
                                  {"waits", {1}}});
    const auto ended = replay(machine, recording({{of("send", {{"to", 1}, {"bytes", 10e6}, {"request", 1}}), work},
                                                  {of("recv", {{"from", 0}, {"request", 1}}), work}}));
    EXPECT_EQ(ended.status, 0) << ended.message;
    return ended.status == 0 ? ended.seconds() : 0;
  };
  // 40 ms on four threads: 10 ms of one are lost to the message, a quarter of that for each.
  EXPECT_NEAR(taken(160e6, 0), 42.5e-3, 5e-5);
  // The same by bytes: a core reaches 10 GB/s.
  EXPECT_NEAR(taken(0, 1.6e9), 42.5e-3, 5e-5);
}

TEST(Team, AScheduleThatMakesNoSenseIsNamed) {
  const auto said = [](const json& work) { return replay(crossbar(1), recording({json::array({work})})).message; };
  EXPECT_EQ(said(of("work", {{"schedule", "guided"}, {"pieces", 4}})),
            "line 2: the schedule is 'guided', expected static or dynamic\n");
  EXPECT_EQ(said(of("work", {{"schedule", "dynamic"}})), "line 2: work by a schedule has no 'pieces'\n");
  EXPECT_EQ(said(of("work", {{"fetch_s", 1e-6}})), "line 2: work has 'fetch_s' and no 'schedule'\n");
  EXPECT_EQ(said(of("work", {{"schedule", "static"}, {"pieces", 4}, {"waits", {1}}})),
            "line 2: work that 'waits' has a static schedule, expected dynamic\n");
}

}  // namespace
}  // namespace rooftop::simulate
