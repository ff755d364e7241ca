// Kernels of rows of blocks against sums that are written out.
#include "block_rows.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <random>
#include <vector>

#include "coarser_stage.hpp"

namespace rooftop::elasticity {
namespace {

template <class T>
class BlockRows : public testing::Test {
 protected:
  T random() { return std::uniform_real_distribution<T>(-1, 1)(random_); }
  std::vector<T> vector(std::size_t count) {
    std::vector<T> result(count);
    for (T& value : result) value = random();
    return result;
  }
  /// So many rows; row r has r blocks, in columns that do not ascend.
  template <class Value, int height, int width>
  BlockMatrix<Value, height, width> matrix(std::int64_t rows, std::int64_t columns) {
    BlockMatrix<Value, height, width> result;
    result.pattern.columns = columns;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t b = 0; b < std::min(row, columns); ++b) {
        result.pattern.column.push_back(static_cast<std::int32_t>((5 * b + row) % columns));
        result.block.emplace_back();
        for (Value& value : result.block.back().value) value = static_cast<Value>(random());
      }
      result.pattern.start.push_back(result.pattern.blocks());
    }
    return result;
  }
  static constexpr double close = sizeof(T) == sizeof(float) ? 1e-4 : 1e-12;

 private:
  std::mt19937 random_{7};
};
/// Calls test() with each instruction set that the processor has.
template <class Test>
void for_each_target(Test test) {
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    SCOPED_TRACE(hwy::TargetName(rest & -rest));
    test();
    hwy::SetSupportedTargetsForTest(0);
  }
}

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockRows, Reals);

constexpr std::int64_t rows = 9, columns = 8;  // 5 has no divisor in common with 8: columns differ

template <class T, class Value, int size, class Test>
void check_product_with_vector(Test& test, const BlockMatrix<Value, size, size>& matrix, bool relative) {
  const std::vector<T> x = test(size * columns), own = test(size);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<double> expected(size);
    for (std::int64_t b = matrix.pattern.start[row]; b < matrix.pattern.start[row + 1]; ++b) {
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) {
          const double in = x[size * matrix.pattern.column[b] + c] - (relative ? own[c] : T{0});
          expected[r] += static_cast<double>(matrix.block[b](r, c)) * in;
        }
      }
    }
    std::vector<T> sum(size + 1, 99);
    multiply_row(row_of(matrix, row), x.data(), relative ? own.data() : nullptr, sum.data());
    for (int r = 0; r < size; ++r) EXPECT_NEAR(sum[r], expected[r], sizeof(T) == sizeof(float) ? 1e-4 : 1e-12);
    EXPECT_EQ(sum[size], 99);
  }
}

TYPED_TEST(BlockRows, TimesVectors) {
  auto vector = [&](std::size_t count) { return this->vector(count); };
  for_each_target([&] {
    for (const bool relative : {false, true}) {
      check_product_with_vector<TypeParam, TypeParam, 3>(vector, this->template matrix<TypeParam, 3, 3>(rows, columns),
                                                         relative);
      check_product_with_vector<TypeParam, TypeParam, 6>(vector, this->template matrix<TypeParam, 6, 6>(rows, columns),
                                                         relative);
    }
    if constexpr (sizeof(TypeParam) == sizeof(double)) {
      check_product_with_vector<double, float, 3>(vector, this->template matrix<float, 3, 3>(rows, columns), true);
    }
  });
}

template <class T, int size>
void expect_transposed(const BlockMatrix<T, size, rigid_motions>& up, const std::vector<T>& x, double close) {
  const Transposed down = transpose(up.pattern);
  for (std::int64_t row = 0; row < down.pattern.rows(); ++row) {
    const std::int64_t begin = down.pattern.start[row], end = down.pattern.start[row + 1];
    std::vector<double> expected(rigid_motions);
    for (std::int64_t t = begin; t < end; ++t) {
      for (int r = 0; r < size; ++r) {
        for (int m = 0; m < rigid_motions; ++m) {
          expected[m] += static_cast<double>(up.block[down.block[t]](r, m)) * x[size * down.pattern.column[t] + r];
        }
      }
    }
    std::vector<T> sum(rigid_motions + 1, 99);
    multiply_transposed(TransposedRow<T, size>{end - begin, down.pattern.column.data() + begin,
                                               down.block.data() + begin, up.block.data()},
                        x.data(), sum.data());
    for (int m = 0; m < rigid_motions; ++m) EXPECT_NEAR(sum[m], expected[m], close);
    EXPECT_EQ(sum[rigid_motions], 99);
  }
}

TYPED_TEST(BlockRows, TransposedTimesVectors) {
  for_each_target([&] {
    expect_transposed(this->template matrix<TypeParam, 3, rigid_motions>(rows, columns), this->vector(3 * rows),
                      this->close);
    expect_transposed(this->template matrix<TypeParam, 6, rigid_motions>(rows, columns), this->vector(6 * rows),
                      this->close);
  });
}

/// All values of a matrix.
template <class T, int height, int width>
std::vector<std::vector<double>> dense(const BlockMatrix<T, height, width>& matrix) {
  std::vector<std::vector<double>> result(
      static_cast<std::size_t>(height * matrix.pattern.rows()),
      std::vector<double>(static_cast<std::size_t>(width * matrix.pattern.columns)));
  for (std::int64_t row = 0; row < matrix.pattern.rows(); ++row) {
    for (std::int64_t b = matrix.pattern.start[row]; b < matrix.pattern.start[row + 1]; ++b) {
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width; ++c) {
          result[height * row + r][width * matrix.pattern.column[b] + c] += matrix.block[b](r, c);
        }
      }
    }
  }
  return result;
}
std::vector<std::vector<double>> times(const std::vector<std::vector<double>>& a,
                                       const std::vector<std::vector<double>>& b) {
  std::vector<std::vector<double>> result(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < b[0].size(); ++j) result[i][j] += a[i][k] * b[k][j];
    }
  }
  return result;
}
std::vector<std::vector<double>> transposed(const std::vector<std::vector<double>>& a) {
  std::vector<std::vector<double>> result(a[0].size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[0].size(); ++j) result[j][i] = a[i][j];
  }
  return result;
}
void expect_near(const std::vector<std::vector<double>>& found, const std::vector<std::vector<double>>& expected,
                 double close) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < found[i].size(); ++j) EXPECT_NEAR(found[i][j], expected[i][j], close) << i << ' ' << j;
  }
}

template <class T, int size>
void expect_products(const BlockMatrix<T, size, size>& matrix, const BlockMatrix<T, size, rigid_motions>& up,
                     double close) {
  const auto go_on = [] { return true; };
  expect_near(dense(product(matrix, up, 2, go_on)), times(dense(matrix), dense(up)), close);
  const auto coarser = coarser_matrix(up, transpose(up.pattern), matrix, up, 2, go_on);
  expect_near(dense(coarser), times(transposed(dense(up)), times(dense(matrix), dense(up))), 10 * close);
}

TYPED_TEST(BlockRows, TimesMatrices) {
  for_each_target([&] {
    expect_products(this->template matrix<TypeParam, 3, 3>(columns, columns),
                    this->template matrix<TypeParam, 3, rigid_motions>(columns, columns), this->close);
    expect_products(this->template matrix<TypeParam, 6, 6>(columns, columns),
                    this->template matrix<TypeParam, 6, rigid_motions>(columns, columns), this->close);
  });
}

}  // namespace
}  // namespace rooftop::elasticity
