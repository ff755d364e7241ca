/// Looks up the pieces of a selection by their offsets in the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rooftop/h5io.hpp"
#include "runs.hpp"

namespace rooftop::h5io::internal {

/// A selection of a contiguous dataset. Offsets are from the first byte of the array. In memory the selection has the
/// order of the file, so that the bytes selected between two offsets are contiguous there.
class PlacedRuns {
 public:
  /// `spans` must fit `shape` and select at least one element.
  PlacedRuns(const std::vector<std::uint64_t>& shape, const std::vector<Span>& spans, std::uint64_t element_bytes)
      : runs_(shape, spans, element_bytes) {}

  [[nodiscard]] const Runs& runs() const { return runs_; }
  [[nodiscard]] std::uint64_t bytes() const { return runs_.count() * runs_.run_bytes(); }
  [[nodiscard]] std::uint64_t begin() const { return runs_.offset(0); }
  [[nodiscard]] std::uint64_t end() const { return runs_.offset(runs_.count() - 1) + runs_.run_bytes(); }

  /// Returns the number of selected bytes before an offset.
  [[nodiscard]] std::uint64_t bytes_before(std::uint64_t offset) const {
    const std::uint64_t k = first_ending_after(offset);
    const std::uint64_t whole = k * runs_.run_bytes();
    if (k == runs_.count()) return whole;
    const std::uint64_t begin = runs_.offset(k);
    return begin < offset ? whole + offset - begin : whole;
  }

  /// Calls `each(offset, length, offset in memory)` for each piece between two offsets, in ascending order. Pieces that
  /// reach beyond them are cut.
  template <class Function>
  void pieces(std::uint64_t from, std::uint64_t to, const Function& each) const {
    const std::uint64_t length = runs_.run_bytes();
    for (std::uint64_t k = first_ending_after(from); k < runs_.count();) {
      const std::uint64_t first = runs_.offset(k), many = runs_.evenly_spaced(k);
      for (std::uint64_t i = 0; i < many; ++i, ++k) {
        const std::uint64_t begin = first + i * runs_.spacing();
        if (begin >= to) return;
        const std::uint64_t cut_begin = std::max(begin, from), cut_end = std::min(begin + length, to);
        each(cut_begin, cut_end - cut_begin, k * length + (cut_begin - begin));
      }
    }
  }

 private:
  /// Returns the first piece that ends after an offset.
  [[nodiscard]] std::uint64_t first_ending_after(std::uint64_t offset) const {
    std::uint64_t low = 0, high = runs_.count();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (runs_.offset(middle) + runs_.run_bytes() > offset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  Runs runs_;
};

}  // namespace rooftop::h5io::internal
