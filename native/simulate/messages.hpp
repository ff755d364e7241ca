/// Messages between ranks: matched in order, eager or by rendezvous, with LogGP's overheads and latency.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "machine.hpp"

namespace rooftop::simulate {

/// What a rank is about: whether it computes, and who waits for the end of that.
struct RankState {
  int rank = 0;
  bool steps = true;     ///< of collective calls that other actors do for it are done now
  double free_at = 0;    ///< when it may send the next message
  double sent = 0;       ///< bytes
  double messages = 0;   ///< sent
  double computing = 0;  ///< seconds in work
  double waiting = 0;    ///< seconds in calls
};

/// An actor that sends and receives for a rank: the rank's own, or that of its collective calls in the background.
struct Endpoint {
  RankState* state = nullptr;
  bool background = false;
  simgrid::s4u::SemaphorePtr wake = simgrid::s4u::Semaphore::create(0);

  [[nodiscard]] int rank() const { return state->rank; }
};

struct Message {
  double bytes = 0;
  bool eager = false;
  bool sender_waits = true;
  double sent_at = -1, posted_at = -1;  ///< negative: not yet
  bool begun = false;
  simgrid::s4u::CommPtr flow;  ///< none of a message that is short
  double begun_at = 0, alone_s = 0;
  double until_left = 0, until_arrived = 0;         ///< seconds after the flow's end
  Endpoint *sender = nullptr, *receiver = nullptr;  ///< who waits for it
};
using MessagePtr = std::shared_ptr<Message>;

/// Messages up to this size take no part in the sharing of links.
constexpr double short_bytes = 256;

class Exchange {
 public:
  explicit Exchange(Machine& machine) : machine_(machine) {}

  /// Sends from the endpoint's rank. `context` and `tag` must agree with the receive's. `pieces`: how many messages of
  /// equal size this one stands for; what the others cost beside their bytes is not in it.
  MessagePtr send(Endpoint& from, int to, double bytes, std::uint64_t context, std::uint64_t tag, int pieces = 1);
  MessagePtr receive(Endpoint& to, int from, std::uint64_t context, std::uint64_t tag);
  void await_sent(Endpoint& self, Message& message);
  void await_received(Endpoint& self, Message& message, int from);

  /// Pays for so many messages that are not simulated one by one: overheads, and latencies one after the other.
  void pay(Endpoint& self, int partner, double overheads, double latencies = 0, double bytes_of_one = 0);
  [[nodiscard]] Machine& machine() const { return machine_; }
  /// Messages that no receive took, or receives that no message came for.
  [[nodiscard]] std::string unmatched() const;

 private:
  struct Key {
    int from, to;
    std::uint64_t context, tag;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  void begin(Message& message, int from, int to);
  [[nodiscard]] double handshake(int from, int to) const;
  static void await_step(Endpoint& self);

  Machine& machine_;
  std::unordered_map<Key, std::deque<MessagePtr>, Hash> unmatched_;
};

}  // namespace rooftop::simulate
