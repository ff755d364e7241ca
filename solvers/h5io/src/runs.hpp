/// A selection of a contiguous array as pieces of its file.
#pragma once

#include <cstdint>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Pieces of one length, in the order of the file, which is also that of the caller's memory: the k-th piece lies there
/// at k times the length.
class Runs {
 public:
  /// `spans` fit `shape`, and select something.
  Runs(const std::vector<std::uint64_t>& shape, const std::vector<Span>& spans, std::uint64_t element_bytes);

  [[nodiscard]] std::uint64_t run_bytes() const { return run_bytes_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Bytes from the array's first byte to the k-th piece's.
  [[nodiscard]] std::uint64_t offset(std::uint64_t k) const;
  /// Pieces from the k-th on, itself included, that lie at one distance from each other.
  [[nodiscard]] std::uint64_t evenly_spaced(std::uint64_t k) const { return row_ - k % row_; }
  /// That distance, from first byte to first byte.
  [[nodiscard]] std::uint64_t spacing() const { return spacing_; }

 private:
  /// `count` steps of `bytes` each; of two levels, the later one is the inner one.
  struct Level {
    std::uint64_t count, bytes;
  };

  std::vector<Level> levels_;
  std::uint64_t start_ = 0, run_bytes_ = 0, count_ = 1, row_ = 1, spacing_ = 0;
};

}  // namespace rooftop::h5io::internal
