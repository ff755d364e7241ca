/// Memory that all ranks of a node see.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <rooftop/rung.hpp>
#include <vector>

#include "problem.hpp"

namespace ft {

/// An array of each rank's, in an MPI-3 shared window. To make one is a meeting of all, and so is its end.
class SharedWindow {
 public:
  /// Throws rooftop::Skip, on all ranks, where they are on several nodes.
  explicit SharedWindow(std::size_t values) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int here = 0, all = 0;
    MPI_Comm_size(node, &here);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    if (here != all) {
      MPI_Comm_free(&node);
      throw rooftop::Skip("ranks of several nodes do not share memory");
    }
    // Each rank's part begins a page of its own, which lies on the memory node of its first writer.
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    // Where it does not (Open MPI's windows begin 264 bytes behind one), every vector would lie in two cache lines.
    constexpr std::size_t page = 4096;
    void* own = nullptr;
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(values * sizeof(Complex) + page), 1, info, node, &own, &window_);
    MPI_Info_free(&info);
    const std::size_t unused = (page - reinterpret_cast<std::uintptr_t>(own) % page) % page;
    std::vector<std::size_t> begins(static_cast<std::size_t>(all));
    MPI_Allgather(&unused, sizeof(std::size_t), MPI_BYTE, begins.data(), sizeof(std::size_t), MPI_BYTE, node);
    MPI_Comm_free(&node);
    for (int rank = 0; rank < all; ++rank) {
      MPI_Aint bytes = 0;
      int unit = 0;
      void* theirs = nullptr;
      MPI_Win_shared_query(window_, rank, &bytes, &unit, static_cast<void*>(&theirs));
      auto* const begin = static_cast<std::byte*>(theirs) + begins[static_cast<std::size_t>(rank)];
      values_.push_back(reinterpret_cast<Complex*>(begin));
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  ~SharedWindow() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  /// What a rank has, which all may read and write.
  [[nodiscard]] Complex* of(int rank) const { return values_[static_cast<std::size_t>(rank)]; }

  /// Returns when all have come; what any has written before, all see then.
  void meet() const {
    MPI_Win_sync(window_);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window_);
  }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Complex*> values_;  ///< of each rank
};

}  // namespace ft
