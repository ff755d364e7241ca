/// Decides which parts of a window of the file to read: the wanted ones, and gaps that are cheaper than another call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftop::h5io::internal {

/// A window of the file, in blocks of 1 KiB, which divide pages. A block is read as a whole if any byte of it is
/// wanted. Offsets are from the byte at `address`.
class Window {
 public:
  static constexpr std::uint64_t block = 1 << 10;

  Window(std::uint64_t most_bytes, std::uint64_t address, std::uint64_t gap_bytes)
      : wanted_(most_bytes / block + 2), address_(address), gap_bytes_(gap_bytes) {}

  /// Moves the window to the offsets `from` to `to`, of which nothing is wanted yet.
  void move(std::uint64_t from, std::uint64_t to) {
    from_ = from, to_ = to;
    base_ = address_ + from - (address_ + from) % block;
    std::fill(wanted_.begin(), wanted_.end(), 0);
  }
  void want(std::uint64_t offset, std::uint64_t bytes) {
    const auto first = static_cast<std::ptrdiff_t>(number(offset)),
               last = static_cast<std::ptrdiff_t>(number(offset + bytes - 1));
    std::fill(wanted_.begin() + first, wanted_.begin() + last + 1, 1);
  }
  /// Calls `each(begin, end)` for each part to read.
  template <class Function>
  void parts(const Function& each) const {
    const std::uint64_t end = number(to_ - 1) + 1;
    for (std::uint64_t i = next_wanted(0, end); i < end;) {
      std::uint64_t last = i;
      for (std::uint64_t next = i; next < end && (next - last) * block <= gap_bytes_ + block;
           next = next_wanted(next + 1, end)) {
        last = next;
      }
      each(std::max(from_, offset(i)), std::min(to_, offset(last + 1)));
      i = next_wanted(last + 1, end);
    }
  }

 private:
  [[nodiscard]] std::uint64_t number(std::uint64_t offset) const { return (address_ + offset - base_) / block; }
  /// Returns the offset of a block; 0 if it begins before the array.
  [[nodiscard]] std::uint64_t offset(std::uint64_t i) const {
    const std::uint64_t at = base_ + i * block;
    return at < address_ ? 0 : at - address_;
  }
  [[nodiscard]] std::uint64_t next_wanted(std::uint64_t i, std::uint64_t end) const {
    while (i < end && wanted_[i] == 0) ++i;
    return i;
  }

  std::vector<std::uint8_t> wanted_;
  std::uint64_t address_, gap_bytes_;
  std::uint64_t from_ = 0, to_ = 0, base_ = 0;
};

}  // namespace rooftop::h5io::internal
