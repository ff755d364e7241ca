/// The messages between computing ranks and delegates.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "pipeline.hpp"
#include "ranks.hpp"
#include "rooftop/h5io_delegates.hpp"

namespace rooftop::h5io {

namespace internal {

/// The kind of a request: the first word of its message.
enum class Command : std::uint64_t { create, dataset, write, flush, close, finish, differing };

constexpr int request_tag = 1, values_tag = 2, answer_tag = 3;
/// The largest message. Longer values are split.
constexpr std::size_t most_of_message = std::size_t{16} << 20;

}  // namespace internal

/// Which ranks are delegates, and which ranks each of them serves.
class Delegates::Ranks {
 public:
  Ranks(MPI_Comm communicator, int count);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] bool computing() const { return all.rank() < computing_; }
  [[nodiscard]] MPI_Comm own() const { return own_; }
  /// Returns the delegate of a computing rank.
  [[nodiscard]] int delegate_of(int rank) const {
    return computing_ + static_cast<int>(std::int64_t{rank} * (all.size() - computing_) / computing_);
  }
  /// Returns the ranks that this delegate serves, in ascending order.
  [[nodiscard]] std::vector<int> clients() const;

  const internal::Ranks all;

 private:
  int computing_ = 0;
  MPI_Comm own_ = MPI_COMM_NULL;
};

/// The messages that a computing rank has sent and that have not arrived yet.
class Delegates::Sender {
 public:
  Sender(const Delegates::Ranks& ranks, std::uint64_t room)
      : ranks_(ranks), delegate_(ranks.delegate_of(ranks.all.rank())), room_(room) {}

  /// Sends copies of `words` and of the `bytes` bytes at `from`. Waits while more than `room` bytes are in flight.
  void send(std::vector<std::uint64_t> words, const void* from = nullptr, std::size_t bytes = 0);
  void progress();
  void wait();
  /// Waits for the delegate's answer to the last request. Throws the failure that it reports.
  void answer() const;

  bool finished = false;

 private:
  struct Message {
    std::vector<std::uint64_t> words;
    internal::Bytes values;
    std::vector<MPI_Request> requests;
  };

  void forget_oldest();

  const Delegates::Ranks& ranks_;
  int delegate_;
  std::uint64_t room_, under_way_ = 0;
  std::deque<Message> messages_;
};

}  // namespace rooftop::h5io
