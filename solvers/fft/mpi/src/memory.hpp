// A rank's memory: its own, or a window that all ranks of the node see.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "job.hpp"

namespace rooftop::fft::internal {

struct Free {
  void operator()(double* memory) const { std::free(memory); }
};
using Doubles = std::unique_ptr<double[], Free>;

/// So many doubles, aligned to 64 bytes or, where there are enough of them, to huge pages. Throws std::bad_alloc.
[[nodiscard]] Doubles make_doubles(Index count);

/// Each rank of `node` brings an array; all see all of them. Alone on its node, a rank has an array of its own.
class NodeArrays {
 public:
  NodeArrays(MPI_Comm node, Index count);
  NodeArrays(NodeArrays&& other) noexcept;
  NodeArrays& operator=(NodeArrays&& other) noexcept;
  NodeArrays(const NodeArrays&) = delete;
  NodeArrays& operator=(const NodeArrays&) = delete;
  ~NodeArrays();

  [[nodiscard]] double* of(int node_rank) const { return arrays_[static_cast<std::size_t>(node_rank)]; }
  /// Returns when all of the node have come, and what they have written before is seen.
  void meet();

 private:
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  Doubles own_;
  std::vector<double*> arrays_;
};

}  // namespace rooftop::fft::internal
