/// An array whose neighbourhood is watched: inaccessible pages on both sides, and a pattern in what is left of its own.
#pragma once

#include <cstddef>
#include <span>

namespace rooftop::conv {

class GuardedArray {
 public:
  enum class Place {
    line,   ///< starts on a 64-byte boundary and ends less than 64 bytes before an inaccessible page
    back,   ///< ends where an inaccessible page starts, hence aligned to its element only
    front,  ///< starts one float after an inaccessible page's end: aligned to its element only
  };

  explicit GuardedArray(std::size_t bytes, Place place = Place::line);
  GuardedArray(GuardedArray&& other) noexcept;
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  GuardedArray& operator=(GuardedArray&&) = delete;
  ~GuardedArray();

  [[nodiscard]] std::span<float> floats() const;
  [[nodiscard]] void* data() const { return data_; }
  /// Every float becomes this NaN: what is read before it is written spoils the result.
  void poison() const;
  /// Whether the bytes around the array are as they were.
  [[nodiscard]] bool intact() const;

 private:
  template <typename Visit>
  void each_guard_byte(const Visit& visit) const;

  unsigned char* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  unsigned char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace rooftop::conv
