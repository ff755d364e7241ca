/// How often files were changed through this library.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "source.hpp"

namespace rooftop::h5io::internal {

/// Whoever has a file open in this process shares one count, which grows after each change. What other processes and
/// other libraries change is not counted.
class Changes {
 public:
  /// Of no file: nothing is known of its changes.
  Changes() = default;
  /// Of the file of `source`; made under the library's lock. `writes`: whether the file is changed when it is closed,
  /// which is before this ends. Throws FileError.
  Changes(const Source& source, bool writes);
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;
  Changes(Changes&& other) = delete;
  Changes& operator=(Changes&& other) noexcept {
    count_.swap(other.count_);
    std::swap(writes_, other.writes_);
    return *this;
  }
  ~Changes() {
    if (writes_) add();
  }

  [[nodiscard]] bool are_known() const { return count_ != nullptr; }
  [[nodiscard]] std::uint64_t count() const { return count_ == nullptr ? 0 : count_->load(std::memory_order_acquire); }
  void add() const {
    if (count_ != nullptr) count_->fetch_add(1, std::memory_order_acq_rel);
  }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> count_;
  bool writes_ = false;
};

/// A change that is counted when it has ended, also by an error.
class Changing {
 public:
  explicit Changing(const Changes& changes) : changes_(changes) {}
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;
  ~Changing() { changes_.add(); }

 private:
  const Changes& changes_;
};

}  // namespace rooftop::h5io::internal
