/// Arguments of calls, drawn from the bytes that a fuzzer mutates. Where the bytes have run out, all that is drawn is
/// 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace rooftop::fuzzing {

class Draw {
 public:
  Draw(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}

  [[nodiscard]] bool empty() const { return next_ == end_; }
  std::uint8_t byte() { return empty() ? 0 : *next_++; }
  /// A whole number from 0 to count - 1, count at most 256.
  unsigned below(unsigned count) { return byte() % count; }
  /// True once in `times`; false at the end of the bytes.
  bool rarely(unsigned times = 16) { return below(times) == times - 1; }

  /// From `least` to `most`, or, rarely, any number of this type, mostly one at which arithmetic goes wrong.
  template <typename Int>
  Int integer(Int least, Int most) {
    return rarely() ? wild<Int>() : within(least, most);
  }
  template <typename Int>
  Int within(Int least, Int most) {
    const auto range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    std::uint64_t drawn = byte();
    if (range > 256) drawn = drawn << 8 | byte();
    return static_cast<Int>(static_cast<std::uint64_t>(least) + drawn % range);
  }
  template <typename Int>
  Int wild() {
    using Limits = std::numeric_limits<Int>;
    const std::array<Int, 12> edges{0,
                                    static_cast<Int>(-1),
                                    Limits::min(),
                                    static_cast<Int>(Limits::min() + 1),
                                    Limits::max(),
                                    static_cast<Int>(Limits::max() - 1),
                                    static_cast<Int>(Limits::max() / 2 + 1),
                                    static_cast<Int>(std::int64_t{1} << 31),
                                    static_cast<Int>((std::int64_t{1} << 31) - 1),
                                    static_cast<Int>(std::int64_t{1} << 24),
                                    static_cast<Int>((std::int64_t{1} << 24) + 1),
                                    static_cast<Int>(4097)};
    const unsigned which = below(edges.size() + 1);
    if (which < edges.size()) return edges[which];
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(Int); ++i) bits = bits << 8 | byte();
    return static_cast<Int>(bits);
  }

  /// A whole number or a fraction of some size, or, rarely, what is none or hardly fits.
  double real() {
    using Limits = std::numeric_limits<double>;
    constexpr std::array edges{Limits::quiet_NaN(),
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::max(),
                               -Limits::max(),
                               Limits::min(),
                               Limits::denorm_min(),
                               -0.0,
                               5e8,
                               -5e8,
                               1e100,
                               -1.0};
    if (rarely()) return edges[below(edges.size())];
    const double whole = within<std::int32_t>(0, 255);
    return rarely(4) ? whole / 16 : whole;
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

}  // namespace rooftop::fuzzing
