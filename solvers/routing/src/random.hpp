/// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

#include "city.hpp"

namespace rooftop::routing {

/// Splitmix64 (G. Steele, D. Lea, C. Flood, 2014): a counter, mixed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// One of many streams of a seed.
  Random(std::uint64_t seed, std::uint64_t round, std::uint64_t part) : state_(mix(mix(mix(seed) ^ round) ^ part)) {}

  std::uint64_t bits() { return mix(state_ += 0x9E3779B97F4A7C15U); }
  /// From 0 to below `count`.
  City below(City count) { return static_cast<City>((bits() >> 32U) * static_cast<std::uint64_t>(count) >> 32U); }
  /// Above 0 and up to 1.
  double unit() { return static_cast<double>((bits() >> 11U) + 1) * 0x1p-53; }

  /// A number that looks random, one for each z.
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace rooftop::routing
