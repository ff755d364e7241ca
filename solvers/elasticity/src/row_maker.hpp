/// Sparse matrices that are made row by row, by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "approximate_inverse.hpp"
#include "block_matrix.hpp"
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
  [[nodiscard]] const std::vector<std::int32_t>& columns() const { return columns_; }
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
  struct Part {
    std::vector<std::int64_t> ends;
    std::vector<std::int32_t> column;
    std::vector<One> block;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
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
      part.column.insert(part.column.end(), maker.columns().begin(), maker.columns().end());
      part.block.insert(part.block.end(), blocks.begin(), blocks.end());
      part.ends.push_back(static_cast<std::int64_t>(part.column.size()));
      maker.end();
    }
  }
  BlockMatrix<Real, height, width> result;
  result.pattern.columns = columns;
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

/// Adds a row of a matrix times another, which has rows for all of its columns, to the row that is made.
template <class Real, int height, int middle, int width>
void add_row_product(const BlockMatrix<Real, height, middle>& left, std::int64_t row,
                     const BlockMatrix<Real, middle, width>& right, RowMaker& maker,
                     std::vector<Block<Real, height, width>>& blocks) {
  for (std::int64_t b = left.pattern.start.data()[row]; b < left.pattern.start.data()[row + 1]; ++b) {
    const std::int64_t column = left.pattern.column.data()[b];
    for (std::int64_t p = right.pattern.start.data()[column]; p < right.pattern.start.data()[column + 1]; ++p) {
      add_product(left.block.data()[b], right.block.data()[p], place(maker, right.pattern.column.data()[p], blocks));
    }
  }
}

/// A matrix times another, which has rows for all of its columns.
template <class Real, int height, int middle, int width>
BlockMatrix<Real, height, width> product(const BlockMatrix<Real, height, middle>& left,
                                         const BlockMatrix<Real, middle, width>& right, int threads,
                                         const GoOn& go_on) {
  return by_rows<Real, height, width>(
      left.pattern.rows(), right.pattern.columns, threads, go_on,
      [&](RowMaker& maker, std::int64_t row, auto& blocks) { add_row_product(left, row, right, maker, blocks); });
}

}  // namespace rooftop::elasticity
