/// The ranks of a job: a communicator of their own, what they know of each other, and failures that they have together.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rooftop::h5io::internal {

/// What went wrong on one rank.
struct Failure {
  enum class Kind : std::uint8_t { none, argument, file, stopped, memory };

  Kind kind = Kind::none;
  std::string message;

  explicit operator bool() const { return kind != Kind::none; }
  /// Of the exception that is being handled.
  static Failure caught();
  /// Throws what there is.
  void raise() const;
};

/// Calls `each`. Returns what it threw.
template <class Function>
[[nodiscard]] Failure failure_of(Function each) {
  try {
    each();
  } catch (...) {
    return Failure::caught();
  }
  return {};
}

/// A copy of a communicator. Its functions are collective, but for `get`, `rank` and `size`.
class Ranks {
 public:
  explicit Ranks(MPI_Comm ranks);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] MPI_Comm get() const { return own_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Throws on every rank what went wrong on one: InvalidArgument, FileError, Stopped or std::bad_alloc. Where it went
  /// wrong on several, the lowest rank's message counts, which names that rank unless it went wrong on all.
  void agree(const Failure& own) const;
  /// Calls a function that needs no other rank, and throws on every rank what it throws on one.
  template <class Function>
  void together(Function each) const {
    agree(failure_of(each));
  }

  [[nodiscard]] double largest(double own) const;
  [[nodiscard]] std::uint64_t largest(std::uint64_t own) const;
  [[nodiscard]] std::uint64_t sum(std::uint64_t own) const;
  /// What each rank gives, rank by rank.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> gather(const std::vector<std::uint64_t>& own) const;
  /// Every rank gets what `from` has.
  void broadcast(std::vector<std::uint64_t>& words, int from) const;

 private:
  MPI_Comm own_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace rooftop::h5io::internal
