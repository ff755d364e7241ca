/// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rooftop::network {

/// Splitmix64 (G. Steele, D. Lea, C. Flood, 2014): a counter, mixed.
class Random {
 public:
  /// One of many streams of a seed.
  Random(std::uint64_t seed, std::uint64_t round, std::uint64_t part) : state_(mix(mix(mix(seed) ^ round) ^ part)) {}

  std::uint64_t bits() { return mix(state_ += 0x9E3779B97F4A7C15U); }
  /// From 0 to below 1.
  double share() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// From 0 to below a number that is not 0 and fits 32 bits.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(((bits() >> 32) * end) >> 32); }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace rooftop::network
