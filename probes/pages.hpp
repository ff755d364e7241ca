/// Anonymous memory whose page size is asked for, so that TLB misses are a choice and not an accident.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace probe {

constexpr std::size_t huge_page_bytes = 2u << 20;

enum class PageSize { base, huge };

/// Untouched, zero-filled, aligned to 2 MiB. Huge pages are asked for by madvise; the kernel may decline.
class Pages {
 public:
  Pages(std::size_t bytes, PageSize size) : mapped_bytes_(bytes + huge_page_bytes) {
    mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    data_ = reinterpret_cast<char*>((address + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes);
    advised_ = madvise(data_, bytes, size == PageSize::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0;
  }
  Pages(Pages&& other) noexcept
      : mapped_(std::exchange(other.mapped_, MAP_FAILED)),
        mapped_bytes_(other.mapped_bytes_),
        data_(other.data_),
        advised_(other.advised_) {}
  Pages& operator=(Pages&&) = delete;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() {
    if (mapped_ != MAP_FAILED) munmap(mapped_, mapped_bytes_);
  }

  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] bool advised() const { return advised_; }  ///< the kernel took the advice

 private:
  void* mapped_;
  std::size_t mapped_bytes_;
  char* data_;
  bool advised_;
};

}  // namespace probe
