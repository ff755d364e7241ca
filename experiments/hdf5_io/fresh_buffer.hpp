/// Reads into memory that nothing has touched: each run has a buffer of its own, whose pages come while it is filled.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "solver_reading.hpp"

namespace hdf5_io {

/// Memory of the kernel's, from a boundary of huge pages on.
class FreshBuffer {
 public:
  /// `advice`: of madvise, on its pages.
  FreshBuffer(std::size_t bytes, int advice) : mapped_bytes_(bytes + huge_page) {
    mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    const auto start = (reinterpret_cast<std::uintptr_t>(mapped_) + huge_page - 1) / huge_page * huge_page;
    values_ = reinterpret_cast<float*>(start);
    madvise(values_, bytes, advice);
  }
  FreshBuffer(const FreshBuffer&) = delete;
  FreshBuffer& operator=(const FreshBuffer&) = delete;
  ~FreshBuffer() { munmap(mapped_, mapped_bytes_); }
  [[nodiscard]] float* values() const { return values_; }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  std::size_t mapped_bytes_;
  void* mapped_ = nullptr;
  float* values_ = nullptr;
};

class FreshReading : public SolverReading {
 public:
  FreshReading(const Problem& problem, int advice) : SolverReading(problem), advice_(advice) {}

  [[nodiscard]] bool starts_anew() const override { return true; }
  void reset() override {
    if (p_.parameters.cold != 0) SolverReading::reset();
    buffer_.reset();
    buffer_ = std::make_unique<FreshBuffer>(selected() * sizeof(float), advice_);
  }
  void run() override { read_into(buffer_->values()); }
  void finish() override { std::copy_n(buffer_->values(), selected(), p_.out); }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = SolverReading::work();
    // The kernel clears each page.
    work.memory_bytes += static_cast<double>(selected() * sizeof(float));
    return work;
  }

 private:
  [[nodiscard]] std::size_t selected() const { return static_cast<std::size_t>(p_.parameters.selected()); }

  int advice_;
  std::unique_ptr<FreshBuffer> buffer_;
};

}  // namespace hdf5_io
