/// Collective calls as algorithms over messages, written once: what each member of a group sends and receives, in
/// order.
#pragma once

#include "messages.hpp"
#include "program.hpp"

namespace rooftop::simulate {

/// How collective calls are done; the names are those of the model's options.
struct Choices {
  std::string alltoall = "pairwise";             ///< linear, pairwise, ring, bruck, two_level
  std::string bcast = "binomial";                ///< binomial, near_first, flat, chain, scatter_allgather
  std::string allreduce = "recursive_doubling";  ///< recursive_doubling, ring, rabenseifner, reduce_bcast
  std::string allgather = "ring";                ///< ring, bruck, linear
  std::string reduce = "binomial";               ///< binomial, linear; those of gather and scatter, too
  int window = 1;                                ///< messages in flight of a pairwise all-to-all, in each direction
  int grain = 0;                 ///< steps of an all-to-all that are one flow; 0: as many as leave `most_flows`
  double segment_bytes = 65536;  ///< of a chain
};

/// Flows of one rank in one all-to-all, unless a grain is chosen.
constexpr int most_flows = 64;
/// Segments of a chain: longer arrays have longer ones.
constexpr double most_segments = 65536;

/// Throws RequirementFailed where a name is unknown.
void check(const Choices& choices);

/// One member's part in one call: `me` is its place in the group.
class Part {
 public:
  Part(Exchange& exchange, Endpoint& self, const std::vector<int>& group, std::uint64_t context, std::uint64_t call,
       const Choices& choices);

  /// Does what the operation says, of the members' view.
  void run(const Operation& operation);

 private:
  [[nodiscard]] int size() const { return static_cast<int>(group_.size()); }
  [[nodiscard]] int rank_of(int member) const { return group_[static_cast<std::size_t>(member)]; }
  [[nodiscard]] int after(int steps) const { return (me_ + steps) % size(); }
  [[nodiscard]] int before(int steps) const { return (me_ - steps % size() + size()) % size(); }

  MessagePtr send(int member, double bytes, int step, int pieces = 1);
  MessagePtr receive(int member, int step);
  void await_sent(const MessagePtr& message) { exchange_.await_sent(self_, *message); }
  void await_received(const MessagePtr& message, int member) {
    exchange_.await_received(self_, *message, rank_of(member));
  }
  void send_and_wait(int member, double bytes, int step) { await_sent(send(member, bytes, step)); }
  void receive_and_wait(int member, int step) { await_received(receive(member, step), member); }
  void swap(int to, int from, double bytes, int step);
  void add(double bytes) const;
  void copy(double bytes) const;

  void barrier();
  void bcast(double bytes, int root, int base);
  void binomial(double bytes, int root, int base);
  void near_first(double bytes, int root, int base);
  void chain(double bytes, int root, int base);
  void reduce(double bytes, int root, int base);
  void allreduce(double bytes);
  void in_pairs(double bytes, bool halves);
  void allgather(double bytes, int base);
  void scan(double bytes);
  void reduce_scatter(double bytes, int base);
  void gather(double bytes, int root, bool scatters, int base);
  void alltoall(const Operation& operation);
  void steps_of_alltoall(const Operation& operation, int window);
  void bruck(double bytes);
  void two_level(double bytes);
  void to_all(double bytes, int base);

  // uneven_collectives.cpp
  void check_counts(const Operation& operation) const;
  [[nodiscard]] double sum_of(const std::vector<double>& counts, int first, int many) const;
  void allgather_uneven(const Operation& operation);
  void reduce_scatter_uneven(const Operation& operation);
  void gatherv(const Operation& operation);
  void scatterv(const Operation& operation);

  Exchange& exchange_;
  Endpoint& self_;
  const std::vector<int>& group_;
  int me_ = 0;
  std::uint64_t context_, call_;
  const Choices& choices_;
};

}  // namespace rooftop::simulate
