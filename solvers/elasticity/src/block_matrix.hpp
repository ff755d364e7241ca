/// Sparse matrices of small blocks, in rows, and what algebraic multigrid does with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid.hpp"

namespace rooftop::elasticity {

/// Which blocks a matrix has: those of row r are from start[r] to before start[r + 1].
struct Pattern {
  std::int64_t columns = 0;
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(start.size()) - 1; }
  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(column.size()); }
};

template <class T, int height, int width>
struct Block {
  std::array<T, static_cast<std::size_t>(height) * width> value{};  ///< by rows

  [[nodiscard]] T& operator()(std::size_t r, std::size_t c) { return value[r * width + c]; }
  [[nodiscard]] T operator()(std::size_t r, std::size_t c) const { return value[r * width + c]; }
};

template <class T, int height, int width>
using Blocks = std::vector<Block<T, height, width>, LargePages<Block<T, height, width>>>;

template <class T, int height, int width>
struct BlockMatrix {
  Pattern pattern;
  Blocks<T, height, width> block;

  [[nodiscard]] double bytes() const {
    return static_cast<double>(pattern.start.size() * sizeof(std::int64_t) +
                               pattern.column.size() * sizeof(std::int32_t) + block.size() * sizeof(block[0]));
  }
};

/// sum += a b
template <class T, class U, class V, int height, int middle, int width>
void add_product(const Block<T, height, middle>& a, const Block<U, middle, width>& b, Block<V, height, width>& sum) {
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t m = 0; m < middle; ++m) {
      for (std::size_t c = 0; c < width; ++c) sum(r, c) += static_cast<V>(a(r, m)) * static_cast<V>(b(m, c));
    }
  }
}

/// sum += a^T b
template <class T, class U, class V, int height, int middle, int width>
void add_transposed_product(const Block<T, middle, height>& a, const Block<U, middle, width>& b,
                            Block<V, height, width>& sum) {
  for (std::size_t m = 0; m < middle; ++m) {
    for (std::size_t r = 0; r < height; ++r) {
      for (std::size_t c = 0; c < width; ++c) sum(r, c) += static_cast<V>(a(m, r)) * static_cast<V>(b(m, c));
    }
  }
}

/// The pattern with rows and columns exchanged, and for each of its blocks which one it was.
struct Transposed {
  Pattern pattern;
  std::vector<std::int64_t> block;
};
inline Transposed transpose(const Pattern& from) {
  Transposed result;
  Pattern& to = result.pattern;
  to.columns = from.rows();
  to.start.assign(static_cast<std::size_t>(from.columns + 1), 0);
  for (const std::int32_t column : from.column) ++to.start[static_cast<std::size_t>(column) + 1];
  for (std::size_t r = 1; r < to.start.size(); ++r) to.start[r] += to.start[r - 1];
  to.column.resize(from.column.size());
  result.block.resize(from.column.size());
  std::vector<std::int64_t> next(to.start.begin(), to.start.end() - 1);
  for (std::int64_t row = 0; row < from.rows(); ++row) {
    for (std::int64_t b = from.start.data()[row]; b < from.start.data()[row + 1]; ++b) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from.column.data()[b])]++);
      to.column[at] = static_cast<std::int32_t>(row);
      result.block[at] = b;
    }
  }
  return result;
}

}  // namespace rooftop::elasticity
