/// Rows of sparse matrices of small blocks, for the processor at hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "block_matrix.hpp"

namespace rooftop::elasticity {

/// A row of square blocks, or of blocks with a motion for each column.
template <class Real, int height, int width>
struct BlockRow {
  std::int64_t count;
  const Block<Real, height, width>* block;
  const std::int32_t* column;
};
template <class Real, int height, int width>
BlockRow<Real, height, width> row_of(const BlockMatrix<Real, height, width>& matrix, std::int64_t row) {
  const std::int64_t begin = matrix.pattern.start.data()[row];
  return {matrix.pattern.start.data()[row + 1] - begin, matrix.block.data() + begin,
          matrix.pattern.column.data() + begin};
}

/// `sum`: the row times x. Each column's part of x is taken relative to `own`, or as it is if that is null.
void multiply_row(const BlockRow<float, 3, 3>& row, const float* x, const float* own, float* sum);
void multiply_row(const BlockRow<float, 6, 6>& row, const float* x, const float* own, float* sum);
void multiply_row(const BlockRow<double, 3, 3>& row, const double* x, const double* own, double* sum);
void multiply_row(const BlockRow<double, 6, 6>& row, const double* x, const double* own, double* sum);
void multiply_row(const BlockRow<float, 3, 3>& row, const double* x, const double* own, double* sum);

/// Row times vector.
template <class Real, int size>
std::array<Real, static_cast<std::size_t>(size)> row_product(const BlockMatrix<Real, size, size>& matrix,
                                                             std::int64_t row, const Real* x) {
  std::array<Real, static_cast<std::size_t>(size)> sum;
  multiply_row(row_of(matrix, row), x, nullptr, sum.data());
  return sum;
}

constexpr int rigid_motions = 6;
constexpr int lanes_of_row = 8;  ///< of blocks that are summed up: room for whole vectors

/// A row of a transposed matrix: of each block, its row in the matrix itself, and its number there.
template <class Real, int size>
struct TransposedRow {
  std::int64_t count;
  const std::int32_t* row;
  const std::int64_t* number;
  const Block<Real, size, rigid_motions>* block;
};
/// `sum`: the row, transposed, times x.
void multiply_transposed(const TransposedRow<float, 3>& from, const float* x, float* sum);
void multiply_transposed(const TransposedRow<float, 6>& from, const float* x, float* sum);
void multiply_transposed(const TransposedRow<double, 3>& from, const double* x, double* sum);
void multiply_transposed(const TransposedRow<double, 6>& from, const double* x, double* sum);

/// Blocks that are summed up, in rows of lanes_of_row values: that of a column is at place[column].
template <class Real>
struct WideBlocks {
  Real* value;
  const std::int32_t* place;
};

/// to += left right, for all blocks of the row.
void add_product(const Block<float, 3, 3>& left, const BlockRow<float, 3, rigid_motions>& right, WideBlocks<float> to);
void add_product(const Block<float, 6, 6>& left, const BlockRow<float, 6, rigid_motions>& right, WideBlocks<float> to);
void add_product(const Block<double, 3, 3>& left, const BlockRow<double, 3, rigid_motions>& right,
                 WideBlocks<double> to);
void add_product(const Block<double, 6, 6>& left, const BlockRow<double, 6, rigid_motions>& right,
                 WideBlocks<double> to);
/// to += left^T right, for all blocks of the left row.
void add_transposed_row(const BlockRow<float, 3, 3>& left, const Block<float, 3, rigid_motions>& right,
                        WideBlocks<float> to);
void add_transposed_row(const BlockRow<float, 6, 6>& left, const Block<float, 6, rigid_motions>& right,
                        WideBlocks<float> to);
void add_transposed_row(const BlockRow<double, 3, 3>& left, const Block<double, 3, rigid_motions>& right,
                        WideBlocks<double> to);
void add_transposed_row(const BlockRow<double, 6, 6>& left, const Block<double, 6, rigid_motions>& right,
                        WideBlocks<double> to);
/// to += left^T right, for all blocks of the right row. `left`: one of WideBlocks.
void add_wide_product(const float* left, const BlockRow<float, 3, rigid_motions>& right, WideBlocks<float> to);
void add_wide_product(const float* left, const BlockRow<float, 6, rigid_motions>& right, WideBlocks<float> to);
void add_wide_product(const double* left, const BlockRow<double, 3, rigid_motions>& right, WideBlocks<double> to);
void add_wide_product(const double* left, const BlockRow<double, 6, rigid_motions>& right, WideBlocks<double> to);

}  // namespace rooftop::elasticity
