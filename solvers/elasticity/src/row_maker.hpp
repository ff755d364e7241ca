/// Sparse matrices that are made row by row, by threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "approximate_inverse.hpp"
#include "block_matrix.hpp"
#include "block_rows.hpp"
#include "grid.hpp"

namespace rooftop::elasticity {

/// Rows that are made one after the other by threads, each with a place for every column.
class RowMaker {
 public:
  explicit RowMaker(std::int64_t columns) : place_(static_cast<std::size_t>(columns), -1) {}

  void begin() { columns_.clear(); }
  /// Where a column is in this row.
  std::size_t at(std::int32_t column) {
    std::int32_t& place = place_[static_cast<std::size_t>(column)];
    if (place < 0) {
      place = static_cast<std::int32_t>(columns_.size());
      columns_.push_back(column);
    }
    return static_cast<std::size_t>(place);
  }
  /// All columns of another matrix' row.
  void take_columns(const Pattern& from, std::int64_t row) {
    for (std::int64_t b = from.start.data()[row]; b < from.start.data()[row + 1]; ++b) (void)at(from.column.data()[b]);
  }
  [[nodiscard]] const std::vector<std::int32_t>& columns() const { return columns_; }
  /// Of each column, where it is in this row.
  [[nodiscard]] const std::int32_t* places() const { return place_.data(); }
  void end() {
    for (const std::int32_t column : columns_) place_[static_cast<std::size_t>(column)] = -1;
  }

 private:
  std::vector<std::int32_t> place_, columns_;
};

/// A matrix whose rows are made by make(maker, row, blocks): it asks the maker for places and adds to blocks there.
/// Where `go_on` says no, rows that are left are empty.
template <class Real, int height, int width, class Make>
BlockMatrix<Real, height, width> by_rows(std::int64_t rows, std::int64_t columns, int threads, const GoOn& go_on,
                                         Make make) {
  using One = Block<Real, height, width>;
  constexpr std::int64_t rows_for_estimate = 256;
  struct Part {
    std::vector<std::int64_t> ends;
    std::vector<std::int32_t> column;
    Blocks<Real, height, width> block;

    /// Room for so many rows like those that are there, and some more.
    void reserve(std::int64_t rows) {
      const std::size_t expected = column.size() * static_cast<std::size_t>(rows) / rows_for_estimate * 5 / 4;
      ends.reserve(static_cast<std::size_t>(rows));
      column.reserve(expected);
      block.reserve(expected);
    }
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  in_team(threads, [&] {
    const Share own = share_of(rows);
    Part& part = parts[static_cast<std::size_t>(omp_get_thread_num())];
    RowMaker maker(columns);
    std::vector<One> blocks;
    bool wanted = true;
    for (std::int64_t row = own.begin; row < own.end; ++row) {
      if (row % 64 == 0) wanted = wanted && go_on();
      maker.begin();
      blocks.clear();
      if (wanted) make(maker, row, blocks);
      if (row == own.begin + rows_for_estimate) part.reserve(own.end - own.begin);
      part.column.insert(part.column.end(), maker.columns().begin(), maker.columns().end());
      part.block.insert(part.block.end(), blocks.begin(), blocks.end());
      part.ends.push_back(static_cast<std::int64_t>(part.column.size()));
      maker.end();
    }
  });
  BlockMatrix<Real, height, width> result;
  result.pattern.columns = columns;
  std::size_t count = 0;
  for (const Part& part : parts) count += part.column.size();
  result.pattern.start.reserve(static_cast<std::size_t>(rows + 1));
  result.pattern.column.reserve(count);
  result.block.reserve(count);
  for (const Part& part : parts) {
    const std::int64_t before = result.pattern.blocks();
    for (const std::int64_t end : part.ends) result.pattern.start.push_back(before + end);
    result.pattern.column.insert(result.pattern.column.end(), part.column.begin(), part.column.end());
    result.block.insert(result.block.end(), part.block.begin(), part.block.end());
  }
  return result;
}

template <class One>
One& place(RowMaker& maker, std::int32_t column, std::vector<One>& blocks) {
  const std::size_t at = maker.at(column);
  if (at >= blocks.size()) blocks.resize(at + 1);
  return blocks[at];
}

/// keep a + scale b, of so many rows, which both have.
template <class Real, int height, int width>
BlockMatrix<Real, height, width> sum(Real keep, const BlockMatrix<Real, height, width>& a, Real scale,
                                     const BlockMatrix<Real, height, width>& b, std::int64_t rows, int threads,
                                     const GoOn& go_on) {
  return by_rows<Real, height, width>(
      rows, a.pattern.columns, threads, go_on, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
        const auto add = [&](Real factor, const BlockMatrix<Real, height, width>& from) {
          for (std::int64_t at = from.pattern.start.data()[row]; at < from.pattern.start.data()[row + 1]; ++at) {
            auto& to = place(maker, from.pattern.column.data()[at], blocks);
            for (std::size_t v = 0; v < to.value.size(); ++v) to.value[v] += factor * from.block.data()[at].value[v];
          }
        };
        add(keep, a);
        add(scale, b);
      });
}

/// A row of blocks of `height` rows that is summed up in whole vectors; its columns are known to the maker before.
template <class Real, int height>
class WideRow {
 public:
  explicit WideRow(const RowMaker& maker)
      : count_(maker.columns().size()), place_(maker.places()), value_(count_ * height * lanes_of_row) {}

  [[nodiscard]] WideBlocks<Real> blocks() { return {value_.data(), place_}; }
  /// The i-th column's block.
  [[nodiscard]] const Real* at(std::size_t i) const { return value_.data() + i * height * lanes_of_row; }
  void give(std::vector<Block<Real, height, rigid_motions>>& blocks) const {
    blocks.resize(count_);
    const Real* from = value_.data();
    for (auto& block : blocks) {
      for (std::size_t r = 0; r < height; ++r, from += lanes_of_row) {
        std::copy_n(from, rigid_motions, block.value.data() + r * rigid_motions);
      }
    }
  }

 private:
  std::size_t count_;
  const std::int32_t* place_;
  std::vector<Real> value_;
};

/// Makes a row of a matrix times another, which has rows for all of its columns.
template <class Real, int height, int middle>
void make_row_product(const BlockMatrix<Real, height, middle>& left, std::int64_t row,
                      const BlockMatrix<Real, middle, rigid_motions>& right, RowMaker& maker,
                      std::vector<Block<Real, height, rigid_motions>>& blocks) {
  const auto of = row_of(left, row);
  for (std::int64_t b = 0; b < of.count; ++b) maker.take_columns(right.pattern, of.column[b]);
  WideRow<Real, height> sum(maker);
  for (std::int64_t b = 0; b < of.count; ++b) add_product(of.block[b], row_of(right, of.column[b]), sum.blocks());
  sum.give(blocks);
}

/// A matrix times another, which has rows for all of its columns.
template <class Real, int height, int middle>
BlockMatrix<Real, height, rigid_motions> product(const BlockMatrix<Real, height, middle>& left,
                                                 const BlockMatrix<Real, middle, rigid_motions>& right, int threads,
                                                 const GoOn& go_on) {
  return by_rows<Real, height, rigid_motions>(
      left.pattern.rows(), right.pattern.columns, threads, go_on,
      [&](RowMaker& maker, std::int64_t row, auto& blocks) { make_row_product(left, row, right, maker, blocks); });
}

}  // namespace rooftop::elasticity
