/// Data that is random enough for numerical work and the same on every machine, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace rooftop {

/// Element `index` of the stream `seed`: SplitMix64 (Steele, Lea, Flood 2014) read at an arbitrary place. Streams of
/// different seeds start at unrelated places.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : start_(mix(seed + golden)) {}
  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const { return mix(start_ + (index + 1) * golden); }
  /// Uniform in [-1, 1), a multiple of 2^-23.
  [[nodiscard]] float uniform_float(std::uint64_t index) const {
    return static_cast<float>(static_cast<std::int64_t>(bits(index) >> 40U) - (std::int64_t{1} << 23)) * 0x1p-23F;
  }
  /// Uniform in [-1, 1), a multiple of 2^-52.
  [[nodiscard]] double uniform_double(std::uint64_t index) const {
    return static_cast<double>(static_cast<std::int64_t>(bits(index) >> 11U) - (std::int64_t{1} << 52)) * 0x1p-52;
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;
  [[nodiscard]] static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::uint64_t start_;
};

/// Fills with values uniform in [-1, 1), by all OpenMP threads, each a contiguous part.
void fill_uniform(std::span<float> values, std::uint64_t seed);
void fill_uniform(std::span<double> values, std::uint64_t seed);

}  // namespace rooftop
