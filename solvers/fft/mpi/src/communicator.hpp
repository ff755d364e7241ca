// The communicators that a distributed plan owns.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

namespace rooftop::fft::internal {

[[nodiscard]] inline int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}
[[nodiscard]] inline int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

/// Frees what it owns, on all of its ranks at a time.
class Communicator {
 public:
  explicit Communicator(MPI_Comm own) : own_(own), rank(rank_in(own)), size(ranks_of(own)) {}
  Communicator(Communicator&& other) noexcept
      : own_(std::exchange(other.own_, MPI_COMM_NULL)), rank(other.rank), size(other.size) {}
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }
  [[nodiscard]] MPI_Comm get() const { return own_; }

 private:
  MPI_Comm own_;

 public:
  const int rank, size;
};

[[nodiscard]] inline Communicator copy_of(MPI_Comm communicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(communicator, &copy);
  return Communicator(copy);
}

/// Those ranks that can write into each other's memory and are to, or each rank alone.
[[nodiscard]] inline Communicator node_of(const Communicator& all, bool together) {
  MPI_Comm node = MPI_COMM_NULL;
  if (together) {
    MPI_Comm_split_type(all.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  } else {
    MPI_Comm_split(all.get(), all.rank, 0, &node);
  }
  return Communicator(node);
}

/// Each rank's number on this node, or -1 for ranks of other nodes.
[[nodiscard]] inline std::vector<int> node_ranks_of(const Communicator& all, const Communicator& node) {
  std::vector<int> theirs(static_cast<std::size_t>(all.size), -1), members(static_cast<std::size_t>(node.size));
  MPI_Allgather(&all.rank, 1, MPI_INT, members.data(), 1, MPI_INT, node.get());
  for (int rank = 0; rank < node.size; ++rank) {
    theirs[static_cast<std::size_t>(members[static_cast<std::size_t>(rank)])] = rank;
  }
  return theirs;
}

}  // namespace rooftop::fft::internal
