/// The ranks of a job: a communicator, exchange of numbers, and failures that all ranks throw together.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rooftop::h5io::internal {

/// An error on one rank, in a form that can be sent to others.
struct Failure {
  enum class Kind : std::uint8_t { none, argument, file, stopped, memory };

  Kind kind = Kind::none;
  std::string message;

  explicit operator bool() const { return kind != Kind::none; }
  /// Returns the failure for the exception that is being handled.
  static Failure caught();
  /// Throws the exception for this failure; nothing if there is none.
  void raise() const;
};

/// Calls `each` and returns its exception as a failure.
template <class Function>
[[nodiscard]] Failure failure_of(Function each) {
  try {
    each();
  } catch (...) {
    return Failure::caught();
  }
  return {};
}

/// A duplicate of a communicator. All functions are collective except `get`, `rank` and `size`.
class Ranks {
 public:
  explicit Ranks(MPI_Comm ranks);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] MPI_Comm get() const { return own_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Throws on every rank if any rank has a failure: InvalidArgument, FileError, Stopped or std::bad_alloc. If several
  /// ranks have one, that of the lowest rank is thrown. The message names the rank unless all ranks failed.
  void agree(const Failure& own) const;
  /// Calls a function that does not communicate. If it throws on any rank, all ranks throw; see agree().
  template <class Function>
  void together(Function each) const {
    agree(failure_of(each));
  }

  [[nodiscard]] double largest(double own) const;
  [[nodiscard]] std::uint64_t largest(std::uint64_t own) const;
  [[nodiscard]] std::uint64_t sum(std::uint64_t own) const;
  /// Returns the words of all ranks, in the order of ranks.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> gather(const std::vector<std::uint64_t>& own) const;
  /// As gather(), if all ranks have the same number of words: one message fewer.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> gather_alike(const std::vector<std::uint64_t>& own) const;
  /// Returns the value of rank 0.
  [[nodiscard]] bool of_first(bool own) const;
  /// Sets `words` to those of rank `from`.
  void broadcast(std::vector<std::uint64_t>& words, int from) const;

 private:
  MPI_Comm own_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace rooftop::h5io::internal
