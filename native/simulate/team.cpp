#include "team.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace rooftop::simulate {

namespace {

struct Thread {
  double from = 0, of_piece = 0;

  /// Pieces that it has begun at a time, if there are enough.
  [[nodiscard]] double begun(double when) const { return when < from ? 0 : std::floor((when - from) / of_piece) + 1; }
};

/// A time at which at most so many pieces are begun, and all but a few of them.
double shortly_before(double pieces, const std::vector<Thread>& threads, double late_s) {
  double rate = 0, offset = 0, before = 0, others = 0;
  for (const Thread& one : threads) {
    rate += 1 / one.of_piece;
    offset += one.from / one.of_piece - 1;
    if (one.from > 0) continue;
    before += 1 / one.of_piece;
    ++others;
  }
  const double without = before > 0 ? (pieces - others) / before : late_s;
  return without <= late_s ? without : std::max(late_s, (pieces + offset) / rate);
}

double dynamic(double pieces, const std::vector<Thread>& threads, double late_s) {
  using Free = std::pair<double, std::size_t>;  // when, and which thread
  std::vector<double> begun(threads.size(), 0);
  double left = pieces;
  const double when = shortly_before(pieces, threads, late_s);
  if (when > 0) {
    double all = 0;
    for (std::size_t one = 0; one < threads.size(); ++one) all += begun[one] = threads[one].begun(when);
    if (all > pieces) {
      std::ranges::fill(begun, 0);
      all = 0;
    }
    left -= all;
  }
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::size_t one = 0; one < threads.size(); ++one) {
    free.emplace(threads[one].from + begun[one] * threads[one].of_piece, one);
  }
  double ended = 0;
  for (std::size_t one = 0; one < threads.size(); ++one) {
    if (begun[one] > 0) ended = std::max(ended, threads[one].from + begun[one] * threads[one].of_piece);
  }
  for (; left > 0; --left) {
    auto [at, one] = free.top();
    free.pop();
    at += threads[one].of_piece * std::min(left, 1.0);
    ended = std::max(ended, at);
    free.emplace(at, one);
  }
  return ended;
}

}  // namespace

int Team::threads() const { return std::max(1, static_cast<int>(std::lround(cores))); }

double team_seconds(const Pieces& pieces, const Team& team) {
  const int many = team.threads();
  const double share = team.cores / many, slowed = std::min<double>(std::ceil(team.taken), many);
  const double slow = slowed > 0 ? share * std::max(0.5, 1 - team.taken / slowed) : share;
  std::vector<Thread> threads;
  for (int one = 0; one < many; ++one) {
    const double speed = one < slowed ? slow : share;
    threads.push_back({.from = one == 0 ? team.late_s : 0,
                       .of_piece = std::max(pieces.computing_s / speed, pieces.moving_s) + pieces.fetch_s});
  }
  if (pieces.number <= 0 || threads.back().of_piece <= 0) return team.late_s;
  if (pieces.schedule == Schedule::dynamic) {
    return std::max({dynamic(pieces.number, threads, team.late_s), pieces.number * pieces.fetch_s, team.late_s});
  }
  // Each has a part of whole pieces, and the last of them what is left.
  const double most = std::min(std::ceil(pieces.number / many), pieces.number);
  double ended = 0;
  for (const Thread& one : threads) ended = std::max(ended, one.from + most * one.of_piece);
  return ended;
}

}  // namespace rooftop::simulate
