#include "collectives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <rooftop/require.hpp>
#include <string_view>

namespace rooftop::simulate {

namespace {

void check_name(const char* of, const std::string& name, std::initializer_list<std::string_view> known) {
  std::string all;
  for (const auto one : known) {
    if (one == name) return;
    all += (all.empty() ? "" : ", ") + std::string(one);
  }
  require(false, "the algorithm of ", of, " is '", name, "', expected one of ", all);
}

}  // namespace

void check(const Choices& choices) {
  check_name("alltoall", choices.alltoall, {"linear", "pairwise", "ring", "bruck", "two_level"});
  check_name("bcast", choices.bcast, {"binomial", "near_first", "flat", "chain", "scatter_allgather"});
  check_name("allreduce", choices.allreduce, {"recursive_doubling", "ring", "rabenseifner", "reduce_bcast"});
  check_name("allgather", choices.allgather, {"ring", "bruck", "linear"});
  check_name("reduce", choices.reduce, {"binomial", "linear"});
  require(choices.window >= 1, "the window is ", choices.window, ", expected at least 1");
  require(choices.grain >= 0, "the grain is ", choices.grain, ", expected at least 0");
  require(choices.segment_bytes >= 1, "a segment has ", choices.segment_bytes, " bytes, expected at least 1");
}

Part::Part(Exchange& exchange, Endpoint& self, const std::vector<int>& group, std::uint64_t context, std::uint64_t call,
           const Choices& choices)
    : exchange_(exchange), self_(self), group_(group), context_(context), call_(call), choices_(choices) {
  const auto found = std::ranges::find(group, self.rank());
  require(found != group.end(), "rank ", self.rank(), " calls MPI of a group that it is not in");
  me_ = static_cast<int>(found - group.begin());
}

MessagePtr Part::send(int member, double bytes, int step, int pieces) {
  return exchange_.send(self_, rank_of(member), bytes, context_, (call_ << 24) + static_cast<std::uint64_t>(step),
                        pieces);
}

MessagePtr Part::receive(int member, int step) {
  return exchange_.receive(self_, rank_of(member), context_, (call_ << 24) + static_cast<std::uint64_t>(step));
}

void Part::swap(int to, int from, double bytes, int step) {
  const MessagePtr comes = receive(from, step);
  const MessagePtr goes = send(to, bytes, step);
  await_received(comes, from);
  await_sent(goes);
}

/// Two numbers are read and one is written for each that is added.
void Part::add(double bytes) const { copy(1.5 * bytes); }

void Part::copy(double bytes) const {
  const double time = 2 * bytes / exchange_.machine().description().core_bytes_per_s;
  if (time > 0) simgrid::s4u::this_actor::sleep_for(time);
}

void Part::run(const Operation& operation) {
  const double bytes = operation.bytes;
  require(operation.root >= 0 && operation.root < size(), "the root is ", operation.root, " of ", size(), " ranks");
  if (size() == 1) return;
  switch (operation.collective) {
    case Collective::barrier:
      return barrier();
    case Collective::bcast:
      return bcast(bytes, operation.root, 0);
    case Collective::reduce:
      return reduce(bytes, operation.root, 0);
    case Collective::allreduce:
      return allreduce(bytes);
    case Collective::allgather:
      return operation.counts.empty() ? allgather(bytes, 0) : allgather_uneven(operation);
    case Collective::reduce_scatter:
      return operation.counts.empty() ? reduce_scatter(bytes, 0) : reduce_scatter_uneven(operation);
    case Collective::scan:
      return scan(bytes);
    case Collective::gather:
      return gather(bytes, operation.root, false, 0);
    case Collective::scatter:
      return gather(bytes, operation.root, true, 0);
    case Collective::gatherv:
      return gatherv(operation);
    case Collective::scatterv:
      return scatterv(operation);
    case Collective::alltoall:
      return alltoall(operation);
  }
}

/// Dissemination: after step i everybody knows of 2^i ranks.
void Part::barrier() {
  for (int far = 1, step = 0; far < size(); far *= 2, ++step) swap(after(far), before(far), 0, step);
}

void Part::bcast(double bytes, int root, int base) {
  if (choices_.bcast == "flat") {
    if (me_ != root) return receive_and_wait(root, base);
    std::vector<MessagePtr> sent;
    for (int step = 1; step < size(); ++step) sent.push_back(send(after(step), bytes, base));
    for (const auto& one : sent) await_sent(one);
  } else if (choices_.bcast == "chain") {
    chain(bytes, root, base);
  } else if (choices_.bcast == "near_first") {
    near_first(bytes, root, base);
  } else if (choices_.bcast == "scatter_allgather") {
    gather(bytes / size(), root, true, base);
    allgather(bytes / size(), base + 64);
  } else {
    binomial(bytes, root, base);
  }
}

/// The farthest half first, so that both halves go on by themselves.
void Part::binomial(double bytes, int root, int base) {
  const int own = (me_ - root + size()) % size();
  int far = 1;
  while (far < size() && (own & far) == 0) far *= 2;
  if (own != 0) receive_and_wait(before(far), base);
  for (far /= 2; far >= 1; far /= 2) {
    if (own + far < size()) send_and_wait(after(far), bytes, base);
  }
}

/// The neighbour first: what is sent to distances 1, 2, 4, … crosses fewer links while few know, and more later.
void Part::near_first(double bytes, int root, int base) {
  const int own = (me_ - root + size()) % size();
  int far = 1;
  while (far <= own) far *= 2;
  if (own != 0) receive_and_wait(before(far / 2), base);
  for (; own + far < size(); far *= 2) send_and_wait(after(far), bytes, base);
}

/// From each to the next, in segments, each of which is handed on while the next one comes. A segment leaves after the
/// one before: if they shared the link, all would arrive at the end.
void Part::chain(double bytes, int root, int base) {
  const int own = (me_ - root + size()) % size();
  const int segments = static_cast<int>(std::clamp(std::ceil(bytes / choices_.segment_bytes), 1.0, most_segments));
  std::vector<MessagePtr> comes;
  MessagePtr goes;
  for (int i = 0; own != 0 && i < segments; ++i) comes.push_back(receive(before(1), base + i));
  for (int i = 0; i < segments; ++i) {
    if (own != 0) await_received(comes[static_cast<std::size_t>(i)], before(1));
    if (own + 1 == size()) continue;
    if (goes != nullptr) await_sent(goes);
    goes = send(after(1), bytes / segments, base + i);
  }
  if (goes != nullptr) await_sent(goes);
}

void Part::reduce(double bytes, int root, int base) {
  const int own = (me_ - root + size()) % size();
  if (choices_.reduce == "linear") {
    if (own != 0) return send_and_wait(root, bytes, base);
    for (int step = 1; step < size(); ++step) {
      receive_and_wait(after(step), base);
      add(bytes);
    }
    return;
  }
  for (int far = 1; far < size(); far *= 2) {
    if ((own & far) != 0) return send_and_wait(before(far), bytes, base);
    if (own + far >= size()) continue;
    receive_and_wait(after(far), base);
    add(bytes);
  }
}

void Part::allreduce(double bytes) {
  if (choices_.allreduce == "reduce_bcast") {
    reduce(bytes, 0, 0);
    binomial(bytes, 0, 1);
  } else if (choices_.allreduce == "ring") {
    reduce_scatter(bytes / size(), 0);
    for (int step = 1; step < size(); ++step) swap(after(1), before(1), bytes / size(), size() + step);
  } else {
    in_pairs(bytes, choices_.allreduce == "rabenseifner");
  }
}

/// Pairs at doubling distances exchange and add whole arrays; or halves, quarters, …, which are gathered on the way
/// back. Of a number of ranks that is no power of two, the first ones do it for the rest.
void Part::in_pairs(double bytes, bool halves) {
  int power = 1;
  while (2 * power <= size()) power *= 2;
  const int rest = size() - power;
  constexpr int last = 64;
  if (me_ >= power) {
    send_and_wait(me_ - power, bytes, 0);
    return receive_and_wait(me_ - power, last);
  }
  if (me_ < rest) {
    receive_and_wait(me_ + power, 0);
    add(bytes);
  }
  int step = 1;
  for (int far = 1; far < power; far *= 2, ++step) {
    const double part = halves ? bytes / (2.0 * far) : bytes;
    swap(me_ ^ far, me_ ^ far, part, step);
    add(part);
  }
  for (int far = power / 2; halves && far >= 1; far /= 2, ++step) swap(me_ ^ far, me_ ^ far, bytes / (2.0 * far), step);
  if (me_ < rest) send_and_wait(me_ + power, bytes, last);
}

void Part::allgather(double bytes, int base) {
  if (choices_.allgather == "bruck") {
    for (int far = 1, step = 0; far < size(); far *= 2, ++step) {
      swap(before(far), after(far), bytes * std::min(far, size() - far), base + step);
    }
  } else if (choices_.allgather == "linear") {
    to_all(bytes, base);
  } else {
    for (int step = 1; step < size(); ++step) swap(after(1), before(1), bytes, base + step);
  }
}

/// The own block to each by itself, and theirs from them.
void Part::to_all(double bytes, int base) {
  std::vector<MessagePtr> comes, goes;
  for (int step = 1; step < size(); ++step) comes.push_back(receive(before(step), base));
  for (int step = 1; step < size(); ++step) goes.push_back(send(after(step), bytes, base));
  for (int step = 1; step < size(); ++step) await_received(comes[static_cast<std::size_t>(step - 1)], before(step));
  for (const auto& one : goes) await_sent(one);
}

/// By recursive doubling: partners swap the sums of the ranks that they know of.
void Part::scan(double bytes) {
  for (int far = 1, step = 0; far < size(); far *= 2, ++step) {
    const int partner = me_ ^ far;
    if (partner >= size()) continue;
    swap(partner, partner, bytes, step);
    add(bytes);
  }
}

/// A block for each: it travels round the ring and is added to.
void Part::reduce_scatter(double bytes, int base) {
  for (int step = 1; step < size(); ++step) {
    swap(after(1), before(1), bytes, base + step);
    add(bytes);
  }
}

/// Up or down a binomial tree, with the blocks of all below; or each by itself.
void Part::gather(double bytes, int root, bool scatters, int base) {
  const int own = (me_ - root + size()) % size();
  if (choices_.reduce == "linear") {
    if (own != 0) return scatters ? receive_and_wait(root, base) : send_and_wait(root, bytes, base);
    for (int step = 1; step < size(); ++step) {
      scatters ? send_and_wait(after(step), bytes, base) : receive_and_wait(after(step), base);
    }
    return;
  }
  std::vector<int> below;
  int far = 1;
  for (; far < size() && (own & far) == 0; far *= 2) {
    if (own + far < size()) below.push_back(far);
  }
  const auto blocks = [&](int of, int span) { return bytes * std::min(span, size() - of); };
  if (scatters) {
    if (own != 0) receive_and_wait(before(far), base);
    std::ranges::reverse(below);
    for (const int one : below) send_and_wait(after(one), blocks(own + one, one), base);
  } else {
    for (const int one : below) receive_and_wait(after(one), base);
    if (own != 0) send_and_wait(before(far), blocks(own, far), base);
  }
}

}  // namespace rooftop::simulate
