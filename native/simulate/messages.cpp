#include "messages.hpp"

#include <algorithm>
#include <rooftop/require.hpp>

namespace rooftop::simulate {

namespace sg = simgrid::s4u;

namespace {

double now() { return sg::Engine::get_clock(); }

void sleep_until(double when) {
  if (when > now()) sg::this_actor::sleep_until(when);
}

/// When the last byte has left the sender.
double ended(const Message& message) {
  return message.flow != nullptr ? message.flow->get_finish_time() : message.begun_at + message.alone_s;
}

}  // namespace

std::size_t Exchange::Hash::operator()(const Key& key) const {
  std::uint64_t mixed = 0;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(key.from), static_cast<std::uint64_t>(key.to), key.context, key.tag}) {
    mixed = (mixed ^ part) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 29;
  }
  return mixed;
}

void Exchange::await_step(Endpoint& self) {
  // What is done in the background of a rank that computes is done when it calls MPI next.
  while (self.background && !self.state->steps) self.wake->acquire();
}

double Exchange::handshake(int from, int to) const {
  const WayOfMessages& way = machine_.messages(from, to);
  return way.handshake_s < 0 ? 2 * (machine_.latency(from, to) + 2 * way.overhead_s) : way.handshake_s;
}

void Exchange::pay(Endpoint& self, int partner, double overheads, double latencies, double bytes_of_one) {
  const WayOfMessages& way = machine_.messages(self.rank(), partner);
  double time = overheads * way.overhead_s;
  if (latencies > 0) {
    const double shakes = bytes_of_one > way.eager_bytes ? handshake(self.rank(), partner) : 0;
    time += latencies * (machine_.latency(self.rank(), partner) + shakes);
  }
  if (time > 0) sg::this_actor::sleep_for(time);
}

void Exchange::begin(Message& message, int from, int to) {
  const WayOfMessages& way = machine_.messages(from, to);
  const double latency = machine_.latency(from, to);
  message.begun = true;
  message.begun_at = now();
  message.until_arrived = latency;
  if (!message.eager) {
    // The sender asks, the receiver answers as soon as it is asked and ready: then the data leave.
    const double each_way = handshake(from, to) / 2;
    const double leaves = std::max(message.sent_at + each_way, message.posted_at) + each_way;
    message.until_left = leaves - message.begun_at;
    message.until_arrived += message.until_left;
  }
  if (machine_.description().instant_messages) {
    message.alone_s = 0;
  } else if (message.bytes > short_bytes) {
    message.flow = machine_.move(from, to, message.bytes, !message.eager);
  } else {
    message.alone_s = message.bytes / way.bytes_per_s;
  }
  for (Endpoint* waits : {message.sender, message.receiver}) {
    if (waits != nullptr) waits->wake->release();
  }
}

MessagePtr Exchange::send(Endpoint& from, int to, double bytes, std::uint64_t context, std::uint64_t tag, int pieces) {
  await_step(from);
  sleep_until(from.state->free_at);
  const WayOfMessages& way = machine_.messages(from.rank(), to);
  const bool eager = bytes <= pieces * way.eager_bytes;
  const double since = now();
  pay(from, to, 1);
  // The next message leaves after the bytes of this one, not beside them.
  from.state->free_at = std::max(since + way.gap_s, eager ? now() + bytes / way.bytes_per_s : 0.0);
  from.state->sent += bytes;
  from.state->messages += pieces;
  auto& queue = unmatched_[{from.rank(), to, context, tag}];
  MessagePtr message;
  if (!queue.empty() && queue.front()->sent_at < 0) {
    message = queue.front();
    queue.pop_front();
    if (queue.empty()) unmatched_.erase({from.rank(), to, context, tag});
  } else {
    message = std::make_shared<Message>();
    queue.push_back(message);
  }
  message->bytes = bytes;
  message->eager = eager;
  message->sender_waits = way.sender_waits;
  message->sent_at = now();
  if (message->eager || message->posted_at >= 0) begin(*message, from.rank(), to);
  return message;
}

MessagePtr Exchange::receive(Endpoint& to, int from, std::uint64_t context, std::uint64_t tag) {
  await_step(to);
  auto& queue = unmatched_[{from, to.rank(), context, tag}];
  MessagePtr message;
  if (!queue.empty() && queue.front()->posted_at < 0) {
    message = queue.front();
    queue.pop_front();
    if (queue.empty()) unmatched_.erase({from, to.rank(), context, tag});
  } else {
    message = std::make_shared<Message>();
    queue.push_back(message);
  }
  message->posted_at = now();
  if (message->sent_at >= 0 && !message->begun) begin(*message, from, to.rank());
  return message;
}

void Exchange::await_sent(Endpoint& self, Message& message) {
  if (message.eager || (!message.begun && !message.sender_waits)) return;
  message.sender = &self;
  while (!message.begun) self.wake->acquire();
  message.sender = nullptr;
  if (message.flow != nullptr) message.flow->wait();
  sleep_until(ended(message) + message.until_left);
}

void Exchange::await_received(Endpoint& self, Message& message, int from) {
  message.receiver = &self;
  while (!message.begun) self.wake->acquire();
  message.receiver = nullptr;
  if (message.flow != nullptr) message.flow->wait();
  sleep_until(ended(message) + message.until_arrived);
  await_step(self);
  pay(self, from, 1);
}

std::string Exchange::unmatched() const {
  const Key* least = nullptr;
  const Message* message = nullptr;
  for (const auto& [key, queue] : unmatched_) {
    if (queue.empty()) continue;
    if (least != nullptr && std::tie(least->from, least->to, least->tag) < std::tie(key.from, key.to, key.tag))
      continue;
    least = &key;
    message = queue.front().get();
  }
  if (least == nullptr) return "";
  const std::string from = std::to_string(least->from), to = std::to_string(least->to);
  return message->sent_at >= 0 ? "rank " + to + " never receives a message from rank " + from
                               : "rank " + to + " waits for a message that rank " + from + " never sends";
}

}  // namespace rooftop::simulate
