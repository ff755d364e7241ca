/// A selection of a contiguous dataset as pieces of the file.
#pragma once

#include <cstdint>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Pieces of equal length, in ascending order in the file. In the caller's memory they follow each other: the k-th
/// begins at k * run_bytes().
class Runs {
 public:
  /// `spans` must fit `shape` and select at least one element.
  Runs(const std::vector<std::uint64_t>& shape, const std::vector<Span>& spans, std::uint64_t element_bytes);

  [[nodiscard]] std::uint64_t run_bytes() const { return run_bytes_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Returns the offset of the k-th piece from the beginning of the array, in bytes.
  [[nodiscard]] std::uint64_t offset(std::uint64_t k) const;
  /// Returns how many pieces, from the k-th on and including it, are `spacing()` apart.
  [[nodiscard]] std::uint64_t evenly_spaced(std::uint64_t k) const { return row_ - k % row_; }
  /// Returns the distance between the first bytes of such pieces.
  [[nodiscard]] std::uint64_t spacing() const { return spacing_; }

 private:
  /// A loop of `count` steps of `bytes` bytes each; the last level is the innermost loop.
  struct Level {
    std::uint64_t count, bytes;
  };

  std::vector<Level> levels_;
  std::uint64_t start_ = 0, run_bytes_ = 0, count_ = 1, row_ = 1, spacing_ = 0;
};

}  // namespace rooftop::h5io::internal
