/// Fortran's order: a library for column-major matrices, called from C.
///
/// BLAS came from Fortran, which stores a matrix column after column. To it, a row-major matrix is the transposed one,
/// and its routines take transposed matrices as they are.
// needs: OpenBLAS
#include <cblas.h>

#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The product y = A x of a row-major matrix. Small whole numbers, so that every order of additions is exact.
class Product final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rows;
    std::int64_t columns;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 16),
                                     rooftop::field<&Parameters::columns>("columns", 1, 1 << 16)};
  static std::vector<Parameters> checks() {
    return {{.rows = 1, .columns = 1}, {.rows = 37, .columns = 13}, {.rows = 8, .columns = 65}};
  }
  static std::int64_t matrix_at(std::int64_t row, std::int64_t column) { return (3 * row + 5 * column) % 7 - 3; }
  static std::int64_t vector_at(std::int64_t column) { return column % 3 + 1; }

  Product(const Parameters& given, const rooftop::Setting& /*setting*/)
      : rows(given.rows),
        columns(given.columns),
        matrix(static_cast<std::size_t>(rows * columns)),
        x(static_cast<std::size_t>(columns)),
        y(static_cast<std::size_t>(rows)) {
    openblas_set_num_threads(1);
    double* next = matrix.data();
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        *next++ = static_cast<double>(matrix_at(row, column));
      }
    }
    for (std::int64_t column = 0; column < columns; ++column) {
      x[static_cast<std::size_t>(column)] = static_cast<double>(vector_at(column));
    }
  }

  void poison() override { std::fill(y.begin(), y.end(), 0.5); }
  void spoil() override { y.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t sum = 0;
      for (std::int64_t column = 0; column < columns; ++column) sum += matrix_at(row, column) * vector_at(column);
      if (y[static_cast<std::size_t>(row)] == static_cast<double>(sum)) continue;
      return rooftop::exact("row " + std::to_string(row) + " is not " + std::to_string(sum));
    }
    return rooftop::exact("");
  }

  const std::int64_t rows;
  const std::int64_t columns;
  rooftop::AlignedArray<double> matrix;  ///< row after row
  std::vector<double> x;
  std::vector<double> y;  ///< the result
};

/// Copies the matrix into Fortran's order first, in tiles of a line by a line.
class Copied final : public rooftop::LabRung {
 public:
  explicit Copied(Product& lab) : lab_(lab), copy_(lab.matrix.size()) {}

  void prepare() override { std::fill(copy_.begin(), copy_.end(), 0.0); }
  void run() override {
    const std::int64_t rows = lab_.rows;
    const std::int64_t columns = lab_.columns;
    constexpr std::int64_t tile = 8;
    for (std::int64_t top = 0; top < rows; top += tile) {
      for (std::int64_t left = 0; left < columns; left += tile) {
        for (std::int64_t column = left; column < std::min(columns, left + tile); ++column) {
          const double* from = lab_.matrix.data() + top * columns + column;
          double* to = copy_.data() + column * rows + top;
          for (std::int64_t row = top; row < std::min(rows, top + tile); ++row, from += columns) *to++ = *from;
        }
      }
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(rows), static_cast<int>(columns), 1, copy_.data(),
                static_cast<int>(rows), lab_.x.data(), 1, 0, lab_.y.data(), 1);
  }

 private:
  Product& lab_;
  rooftop::AlignedArray<double> copy_;
};

/// Calls with the matrix as it is: as Fortran's transposed matrix, or by the order's name, which means the same.
template <CBLAS_ORDER order>
class AsItIs final : public rooftop::LabRung {
 public:
  explicit AsItIs(Product& lab) : lab_(lab) {}

  void run() override {
    const int rows = static_cast<int>(lab_.rows);
    const int columns = static_cast<int>(lab_.columns);
    constexpr bool fortran = order == CblasColMajor;
    cblas_dgemv(order, fortran ? CblasTrans : CblasNoTrans, fortran ? columns : rows, fortran ? rows : columns, 1,
                lab_.matrix.data(), columns, lab_.x.data(), 1, 0, lab_.y.data(), 1);
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto count = static_cast<double>(lab_.matrix.size());
    return {.fma_flops = 2 * count, .memory_bytes = 8 * count, .working_set_bytes = 8 * count, .algorithm = {}};
  }

 private:
  Product& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Product, variant<Copied, Product>("10-copied", "A copy in Fortran's order, then the call."),
            variant<AsItIs<CblasColMajor>, Product>("20-transposed", "The matrix as it is, said to be transposed."),
            variant<AsItIs<CblasRowMajor>, Product>("30-row-major", "The same call, spelt for C."));
