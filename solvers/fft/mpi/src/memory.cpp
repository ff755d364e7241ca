#include "memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace rooftop::fft::internal {

Doubles make_doubles(Index count) {
  constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(count);
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : line;
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  auto* const memory = static_cast<double*>(std::aligned_alloc(alignment, rounded));
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) (void)madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return Doubles(memory);
}

NodeArrays::NodeArrays(MPI_Comm node, Index count) : node_(node) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(node, &ranks);
  MPI_Comm_rank(node, &rank);
  arrays_.resize(static_cast<std::size_t>(ranks));
  if (ranks == 1) {
    own_ = make_doubles(count);
    arrays_[0] = own_.get();
    return;
  }
  // Each array on pages of its own, near its rank.
  MPI_Info apart = MPI_INFO_NULL;
  MPI_Info_create(&apart);
  MPI_Info_set(apart, "alloc_shared_noncontig", "true");
  // A window may begin anywhere: Open MPI's does 264 bytes behind a page, where every vector lies in two cache lines.
  constexpr std::size_t page = 4096;
  void* mine = nullptr;
  const auto bytes = static_cast<MPI_Aint>(sizeof(double) * static_cast<std::size_t>(count) + page);
  // Errors of this call only are returned, and told as what they mean.
  MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
  const int made = MPI_Win_allocate_shared(bytes, sizeof(double), apart, node, static_cast<void*>(&mine), &window_);
  MPI_Comm_set_errhandler(node, MPI_ERRORS_ARE_FATAL);
  MPI_Info_free(&apart);
  if (made != MPI_SUCCESS) throw std::bad_alloc();
  const std::size_t unused = (page - reinterpret_cast<std::uintptr_t>(mine) % page) % page;
  std::vector<std::size_t> begins(static_cast<std::size_t>(ranks));
  MPI_Allgather(&unused, sizeof(std::size_t), MPI_BYTE, begins.data(), sizeof(std::size_t), MPI_BYTE, node);
  for (int other = 0; other < ranks; ++other) {
    const auto at = static_cast<std::size_t>(other);
    MPI_Aint size = 0;
    int unit = 0;
    void* theirs = nullptr;
    MPI_Win_shared_query(window_, other, &size, &unit, static_cast<void*>(&theirs));
    arrays_[at] = reinterpret_cast<double*>(static_cast<std::byte*>(theirs) + begins[at]);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

NodeArrays::NodeArrays(NodeArrays&& other) noexcept
    : node_(std::exchange(other.node_, MPI_COMM_NULL)),
      window_(std::exchange(other.window_, MPI_WIN_NULL)),
      own_(std::move(other.own_)),
      arrays_(std::move(other.arrays_)) {}

NodeArrays& NodeArrays::operator=(NodeArrays&& other) noexcept {
  std::swap(node_, other.node_);
  std::swap(window_, other.window_);
  std::swap(own_, other.own_);
  std::swap(arrays_, other.arrays_);
  return *this;
}

NodeArrays::~NodeArrays() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void NodeArrays::meet() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_sync(window_);
  MPI_Barrier(node_);
  MPI_Win_sync(window_);
}

}  // namespace rooftop::fft::internal
