/// All-to-alls: the calls whose messages grow with the square of the ranks.
#include <algorithm>
#include <cmath>
#include <deque>
#include <rooftop/require.hpp>

#include "collectives.hpp"

namespace rooftop::simulate {

void Part::alltoall(const Operation& operation) {
  const double bytes = operation.bytes;
  const std::string& name = choices_.alltoall;
  require(operation.counts.empty() || static_cast<int>(operation.counts.size()) == size(), "an alltoall has ",
          operation.counts.size(), " counts, expected one for each of ", size(), " ranks");
  // Blocks of different sizes do not travel together here.
  if (!operation.counts.empty() || name == "pairwise") return steps_of_alltoall(operation, choices_.window);
  if (name == "linear") return steps_of_alltoall(operation, size());
  if (name == "bruck") return bruck(bytes);
  if (name == "two_level") return two_level(bytes);
  // Ring: in step i each hands on the blocks that go further, to its neighbour.
  for (int step = 1; step < size(); ++step) swap(after(1), before(1), bytes * (size() - step), step);
}

/// In step i each sends to the one i further on. Steps that follow each other are one flow, to the middle of the
/// partners: it carries their bytes, and what they cost beside is paid. `window`: how many steps are under way.
void Part::steps_of_alltoall(const Operation& operation, int window) {
  int grain = operation.counts.empty() ? choices_.grain : 1;
  if (grain == 0) grain = (size() - 1 + most_flows - 1) / most_flows;
  struct Step {
    MessagePtr comes, goes;
    int from;
  };
  std::deque<Step> under_way;
  const auto finish = [&] {
    const Step& one = under_way.front();
    await_received(one.comes, one.from);
    await_sent(one.goes);
    under_way.pop_front();
  };
  const auto flows = static_cast<std::size_t>(std::max(1, window / grain));
  for (int first = 1; first < size(); first += grain) {
    const int steps = std::min(grain, size() - first), middle = first + steps / 2;
    const int to = after(middle), from = before(middle);
    if (under_way.size() == flows) finish();
    const double bytes = operation.counts.empty() ? operation.bytes : operation.counts[static_cast<std::size_t>(to)];
    // Steps in one window do not wait for each other's latency.
    const double waits = std::ceil(static_cast<double>(steps) / window) - 1;
    if (steps > 1) exchange_.pay(self_, rank_of(to), 2.0 * (steps - 1), waits, bytes);
    MessagePtr comes = receive(from, middle);
    under_way.push_back({comes, send(to, bytes * steps, middle, steps), from});
  }
  while (!under_way.empty()) finish();
}

/// In log2 steps blocks whose way has that bit set travel together; they are copied before, between and after.
void Part::bruck(double bytes) {
  double copied = 2.0 * size();
  for (int far = 1, step = 0; far < size(); far *= 2, ++step) {
    int blocks = 0;
    for (int way = 1; way < size(); ++way) blocks += (way & far) != 0 ? 1 : 0;
    swap(after(far), before(far), bytes * blocks, step);
    copied += 2.0 * blocks;
  }
  copy(copied * bytes);
}

/// Within groups, so that each has what goes to those of its place in other groups; then with these. A group is a node,
/// or about the root of so many ranks.
void Part::two_level(double bytes) {
  int group = exchange_.machine().ranks_beside(self_.rank());
  if (group == 1 || group >= size() || size() % group != 0) {
    group = static_cast<int>(std::sqrt(size()));
    while (size() % group != 0) --group;
  }
  const int others = size() / group, first = me_ / group * group, place = me_ % group;
  for (int step = 1; step < group; ++step) {
    swap(first + (place + step) % group, first + (place + group - step) % group, others * bytes, step);
  }
  copy(2.0 * size() * bytes);
  for (int step = 1; step < others; ++step)
    swap(after(step * group), before(step * group), group * bytes, group + step);
}

}  // namespace rooftop::simulate
