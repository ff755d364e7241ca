/// What one of several ranks has of a grid.
#pragma once

#include "problem.hpp"

namespace ft {

/// From `first` on, `count` planes, rows or pieces.
struct Part {
  Index first, count;

  [[nodiscard]] bool has(Index i) const { return i >= first && i < first + count; }
};

/// Share `i` of n things in `parts` shares that differ by one at most.
constexpr Part part_of(Index n, Index i, Index parts) { return {n * i / parts, n * (i + 1) / parts - n * i / parts}; }

/// What a rank has of an array: rows y of planes z, whole along x, a plane after the other, or a row of all planes
/// after the other.
struct Box {
  Part y, z;
  bool row_by_row = false;

  [[nodiscard]] bool has(Index row, Index plane) const { return y.has(row) && z.has(plane); }
  /// Where a row of the grid that it has lies among its rows.
  [[nodiscard]] Index line(Index row, Index plane) const {
    return row_by_row ? (row - y.first) * z.count + plane - z.first : (plane - z.first) * y.count + row - y.first;
  }
};

}  // namespace ft
