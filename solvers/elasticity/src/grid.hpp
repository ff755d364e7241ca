/// Nodes of a box, and three values for each.
#pragma once

#include <hwy/aligned_allocator.h>
#include <omp.h>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>

namespace rooftop::elasticity {

constexpr int components = 3;

/// Nodes in each direction; x runs fastest.
struct Grid {
  std::int64_t nx = 0, ny = 0, nz = 0;

  [[nodiscard]] std::int64_t plane() const { return nx * ny; }
  [[nodiscard]] std::int64_t nodes() const { return nx * ny * nz; }
  [[nodiscard]] std::int64_t elements() const { return (nx - 1) * (ny - 1) * (nz - 1); }
  /// From a node to the last one that has an element with it.
  [[nodiscard]] std::int64_t reach() const { return plane() + nx + 1; }
  [[nodiscard]] std::int64_t node(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (k * ny + j) * nx + i;
  }
};

/// Nodes of a box from `begin` to before `end`, in each direction.
struct Range {
  std::array<std::int64_t, 3> begin, end;

  [[nodiscard]] std::int64_t count(std::size_t d) const { return std::max<std::int64_t>(0, end[d] - begin[d]); }
  [[nodiscard]] std::int64_t nodes() const { return count(0) * count(1) * count(2); }
};

[[nodiscard]] inline Range all_of(const Grid& grid) { return {{0, 0, 0}, {grid.nx, grid.ny, grid.nz}}; }

/// Where a grid lies in one that several processes share.
struct Place {
  Grid whole;
  std::array<std::int64_t, 3> first;
};

/// A thread's part of a range.
struct Share {
  std::int64_t begin, end;
};

/// What the calling thread of a team has of `count`, in multiples of `grain` but for the last one.
inline Share share_of(std::int64_t count, std::int64_t grain = 1) {
  const std::int64_t grains = (count + grain - 1) / grain, thread = omp_get_thread_num(), team = omp_get_num_threads();
  return {std::min(count, grains * thread / team * grain), std::min(count, grains * (thread + 1) / team * grain)};
}

/// Calls body() in each thread of a team. What one of them throws, such as std::bad_alloc, is thrown here. There may be
/// no barrier within.
template <class Body>
void in_team(int threads, Body body) {
  std::exception_ptr error;
#pragma omp parallel num_threads(threads)
  {
    try {
      body();
    } catch (...) {
#pragma omp critical(rooftop_elasticity_error)
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

/// Asks for pages of 2 MiB where there are several: fewer faults at the first touch, and processors fetch ahead within
/// a page.
inline void ask_for_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  constexpr std::size_t least = std::size_t{4} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (bytes >= least) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

/// What a vector of many values gets its memory from.
template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  explicit(false) LargePages(const LargePages<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    T* const data = std::allocator<T>().allocate(count);
    ask_for_large_pages(data, count * sizeof(T));
    return data;
  }
  void deallocate(T* data, std::size_t count) { std::allocator<T>().deallocate(data, count); }
  friend bool operator==(const LargePages& /*one*/, const LargePages& /*other*/) { return true; }
};

/// Aligned, and left as it is for the threads to touch first.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::int64_t size)
      : size_(size), data_(hwy::AllocateAligned<T>(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)))) {
    if (data_ == nullptr) throw std::bad_alloc();
    ask_for_large_pages(data_.get(), static_cast<std::size_t>(size_) * sizeof(T));
  }

  [[nodiscard]] T* data() const { return data_.get(); }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] double bytes() const { return static_cast<double>(size_) * sizeof(T); }

 private:
  std::int64_t size_ = 0;
  hwy::AlignedFreeUniquePtr<T[]> data_;
};

/// Three components, one array behind the other. Before and behind each there is a margin of zeros, so that a product
/// can read the neighbours of any node, and whole vectors.
template <class T>
class Field {
 public:
  Field() = default;
  Field(const Grid& grid, int threads)
      : grid_(grid),
        margin_((grid.reach() + spare + spare - 1) / spare * spare),
        stride_((grid.nodes() + spare - 1) / spare * spare + 2 * margin_),
        values_(components * stride_) {
#pragma omp parallel num_threads(threads)
    {
      const Share own = share_of(stride_);
      for (int c = 0; c < components; ++c) {
        std::fill(values_.data() + c * stride_ + own.begin, values_.data() + c * stride_ + own.end, T{});
      }
    }
  }

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] T* operator[](int c) const { return values_.data() + c * stride_ + margin_; }
  [[nodiscard]] double bytes() const { return values_.bytes(); }

 private:
  static constexpr std::int64_t spare = 64;  // values: no vector is longer

  Grid grid_;
  std::int64_t margin_ = 0, stride_ = 0;
  Array<T> values_;
};

}  // namespace rooftop::elasticity
