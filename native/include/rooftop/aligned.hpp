/// Memory for numbers: aligned to the cache line, on huge pages where it is large enough to profit from them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace rooftop {

inline constexpr std::size_t cache_line_bytes = 64;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Owns `size` uninitialised values of a trivial type, the first at a multiple of 64 bytes. From two huge pages on, it
/// starts at a huge page's boundary and the kernel is advised to use them. The thread that first writes a page decides
/// on which memory node it lies, hence nothing is written here.
template <typename T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  AlignedArray() = default;
  /// Throws std::bad_array_new_length if the size in bytes overflows, std::bad_alloc if there is no memory.
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > (std::numeric_limits<std::size_t>::max() - huge_page_bytes) / sizeof(T))
      throw std::bad_array_new_length();
    const std::size_t bytes = size * sizeof(T);
    const bool huge = bytes >= 2 * huge_page_bytes;
    const std::size_t alignment = huge ? huge_page_bytes : cache_line_bytes;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    data_ = static_cast<T*>(std::aligned_alloc(alignment, rounded));
    if (data_ == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // Advice only: a kernel without transparent huge pages answers with an error that changes nothing.
    if (huge) (void)madvise(data_, rounded, MADV_HUGEPAGE);
#endif
  }
  AlignedArray(AlignedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  AlignedArray& operator=(AlignedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  AlignedArray(const AlignedArray&) = delete;
  AlignedArray& operator=(const AlignedArray&) = delete;
  ~AlignedArray() { std::free(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] std::span<T> span() { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rooftop
