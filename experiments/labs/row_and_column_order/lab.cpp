/// Traversal of a matrix by rows and by columns.
///
/// C and C++ store a matrix row after row. Along a row, a cache line of 64 bytes brings eight numbers of 8 bytes; along
/// a column each number lies in a line of its own, and a column longer than the cache loses its lines before the next
/// column asks for them again.
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The sum of all numbers of a matrix.
class Matrix final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rows;
    std::int64_t columns;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 24),
                                     rooftop::field<&Parameters::columns>("columns", 1, 1 << 16)};
  static std::vector<Parameters> checks() {
    return {{.rows = 1, .columns = 1}, {.rows = 37, .columns = 13}, {.rows = 5, .columns = 24}};
  }

  Matrix(const Parameters& given, const rooftop::Setting& /*setting*/)
      : rows(given.rows), columns(given.columns), numbers(static_cast<std::size_t>(rows * columns)) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i) + 1;
  }

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t count = rows * columns;
    const std::int64_t expected = count * (count + 1) / 2;
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const std::int64_t rows;
  const std::int64_t columns;
  rooftop::AlignedArray<std::int64_t> numbers;  ///< 1, 2, 3 …, row after row
  std::int64_t sum = -1;                        ///< the result
};

/// Two numbers, wherever they begin.
typedef std::int64_t Pair __attribute__((vector_size(16), aligned(8), may_alias));

/// Down one column. The empty asm keeps the compiler from exchanging the loops.
std::int64_t down(const Matrix& lab, std::int64_t column) {
  std::int64_t sum = 0;
  const std::int64_t* number = lab.numbers.data() + column;
  for (std::int64_t row = 0; row < lab.rows; ++row, number += lab.columns) {
    sum += *number;
    asm volatile("" : "+r"(sum));
  }
  return sum;
}

/// Down eight columns, whose numbers are loaded in pairs: one by one, they would fill the core's queues after half as
/// many lines as it can wait for.
std::int64_t down_band(const Matrix& lab, std::int64_t first) {
  Pair sums[4] = {};
  const std::int64_t* number = lab.numbers.data() + first;
  const std::int64_t rows = lab.rows;
  const std::int64_t columns = lab.columns;
  for (std::int64_t row = 0; row < rows; ++row, number += columns) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) sums[i] += reinterpret_cast<const Pair*>(number)[i];
    asm volatile("" ::: "memory");
  }
  const Pair sum = sums[0] + sums[1] + sums[2] + sums[3];
  return sum[0] + sum[1];
}

std::int64_t along_rows(const Matrix& lab) {
  std::int64_t sum = 0;
  for (const std::int64_t number : lab.numbers) sum += number;
  return sum;
}

enum class Order { columns, bands, rows };

template <Order order>
class Walk final : public rooftop::LabRung {
 public:
  explicit Walk(Matrix& lab) : lab_(lab) {}

  void run() override {
    std::int64_t first = order == Order::rows ? lab_.columns : 0;
    std::int64_t sum = order == Order::rows ? along_rows(lab_) : 0;
    for (; order == Order::bands && first + 8 <= lab_.columns; first += 8) sum += down_band(lab_, first);
    for (; first < lab_.columns; ++first) sum += down(lab_, first);
    lab_.sum = sum;
  }
  /// What is asked for: not that a line comes again for each of its numbers.
  [[nodiscard]] rooftop::Work work() const override {
    const double bytes = 8.0 * static_cast<double>(lab_.numbers.size());
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Matrix& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Matrix,
            variant<Walk<Order::columns>, Matrix>("10-by-columns", "Down each column, a line for every number."),
            variant<Walk<Order::bands>, Matrix>("20-line-by-line",
                                                "Down bands as wide as a line, all of which is used."),
            variant<Walk<Order::rows>, Matrix>("30-by-rows", "Along the rows, as the matrix lies in memory."));
