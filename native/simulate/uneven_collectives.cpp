/// Collective calls whose blocks differ in size: `counts` has the bytes of each member's.
#include <algorithm>
#include <rooftop/require.hpp>

#include "collectives.hpp"

namespace rooftop::simulate {

void Part::check_counts(const Operation& operation) const {
  require(static_cast<int>(operation.counts.size()) == size(), "a collective call has ", operation.counts.size(),
          " counts, expected one for each of ", size(), " ranks");
}

double Part::sum_of(const std::vector<double>& counts, int first, int many) const {
  double sum = 0;
  for (int i = 0; i < many; ++i) sum += counts[static_cast<std::size_t>((first + i) % size())];
  return sum;
}

void Part::allgather_uneven(const Operation& operation) {
  check_counts(operation);
  const auto& counts = operation.counts;
  const auto block = [&](int member) { return counts[static_cast<std::size_t>(member)]; };
  if (choices_.allgather == "bruck") {
    for (int far = 1, step = 0; far < size(); far *= 2, ++step) {
      swap(before(far), after(far), sum_of(counts, me_, std::min(far, size() - far)), step);
    }
  } else if (choices_.allgather == "linear") {
    to_all(block(me_), 0);
  } else {
    for (int step = 1; step < size(); ++step) swap(after(1), before(1), block(before(step - 1)), step);
  }
}

/// As with equal blocks: after each step a rank adds the block that came to its own, and hands on the sum.
void Part::reduce_scatter_uneven(const Operation& operation) {
  check_counts(operation);
  for (int step = 1; step < size(); ++step) {
    swap(after(1), before(1), operation.counts[static_cast<std::size_t>(before(step))], step);
    add(operation.counts[static_cast<std::size_t>(before(step + 1))]);
  }
}

/// Each by itself with the root: only the root knows the size of every block, so that no tree can be made of them.
void Part::gatherv(const Operation& operation) {
  if (me_ != operation.root) return send_and_wait(operation.root, operation.bytes, 0);
  std::vector<MessagePtr> comes;
  for (int step = 1; step < size(); ++step) comes.push_back(receive(after(step), 0));
  for (int step = 1; step < size(); ++step) await_received(comes[static_cast<std::size_t>(step - 1)], after(step));
}

void Part::scatterv(const Operation& operation) {
  if (me_ != operation.root) return receive_and_wait(operation.root, 0);
  check_counts(operation);
  std::vector<MessagePtr> goes;
  for (int step = 1; step < size(); ++step) {
    goes.push_back(send(after(step), operation.counts[static_cast<std::size_t>(after(step))], 0));
  }
  for (const auto& one : goes) await_sent(one);
}

}  // namespace rooftop::simulate
