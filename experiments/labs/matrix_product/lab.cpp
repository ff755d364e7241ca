// needs: MPI
/// C = A B with the rows of A and C split among the ranks, and the second matrix replicated, split, or transposed.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using Numbers = std::vector<double>;

class Product final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t n;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::n>("n", 1, 4096)};
  static std::vector<Parameters> checks() { return {{.n = 1}, {.n = 23}}; }

  Product(const Parameters& given, const rooftop::Setting& setting)
      : n(static_cast<int>(given.n)), rank(setting.rank), ranks(setting.ranks), c(at(part)), all(at(part * ranks)) {
    for (int i = 0; i < part; ++i) {
      for (int k = 0; k < n; ++k) a.push_back(left(rank * part + i, k));
    }
  }

  void poison() override {
    std::ranges::fill(c, 0.5);
    std::ranges::fill(all, 0.5);
  }
  void spoil() override { all[0] += 1; }
  void collect() { rooftop::collect_on_first(c.data(), part * n, all.data()); }
  /// Whole numbers: the sums are exact in any order.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += left(i, k) * right(k, j);
        if (all[at(i) + j] != sum) return rooftop::exact("row " + std::to_string(i) + " is wrong");
      }
    }
    return rooftop::exact("");
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"second_matrix_bytes", static_cast<double>(held * sizeof(double))}};
  }

  [[nodiscard]] static double left(int i, int k) { return (i + 2 * k) % 7 - 3; }
  [[nodiscard]] static double right(int k, int j) { return (3 * k + j) % 5 - 2; }
  [[nodiscard]] std::size_t at(int row) const { return static_cast<std::size_t>(n) * row; }

  const int n, rank, ranks;
  const int part = (n + ranks - 1) / ranks;  ///< rows of a rank, the last of which may lie beyond the matrix
  Numbers a, c;
  Numbers all;           ///< the product, on rank 0
  std::size_t held = 0;  ///< numbers of the second matrix on this rank
};

/// Adds the products with rows `first` to `last` of the second matrix, which lie one after another in b: four rows at a
/// time, so that sums are read and written once for four products.
void add_rows(Product& lab, const double* b, int first, int last) {
  const int n = lab.n;
  for (int i = 0; i < lab.part; ++i) {
    double* c = &lab.c[lab.at(i)];
    const double* a = &lab.a[lab.at(i)];
    int k = first;
    for (const double* row = b; k + 4 <= last; k += 4, row += 4L * n) {
#pragma omp simd
      for (int j = 0; j < n; ++j) {
        c[j] += a[k] * row[j] + a[k + 1] * row[n + j] + a[k + 2] * row[2 * n + j] + a[k + 3] * row[3 * n + j];
      }
    }
    for (; k < last; ++k) {
      for (int j = 0; j < n; ++j) c[j] += a[k] * b[lab.at(k - first) + j];
    }
  }
}

/// Sets the columns `first` to `last` of the product: inner products with columns that lie one after another in b.
void set_columns(Product& lab, const double* b, int first, int last) {
  for (int i = 0; i < lab.part; ++i) {
    const double* a = &lab.a[lab.at(i)];
    for (int j = first; j < last; ++j) {
      const double* column = b + lab.at(j - first);
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < lab.n; ++k) sum += a[k] * column[k];
      lab.c[lab.at(i) + j] = sum;
    }
  }
}

enum class Second { replicated, split, transposed };

/// Each rank has all rows of the second matrix, or a P-th of its rows or columns, which go round the ring.
template <Second second>
class By final : public rooftop::LabRung {
  static constexpr bool whole = second == Second::replicated;
  static constexpr auto multiply = second == Second::transposed ? set_columns : add_rows;

 public:
  explicit By(Product& lab) : lab_(lab), lines_(whole ? lab.n : lab.part) {
    for (int line = 0; line < lines_; ++line) {
      const int own = whole ? line : lab.rank * lines_ + line;
      for (int k = 0; k < lab.n; ++k) b_.push_back(multiply == add_rows ? lab.right(own, k) : lab.right(k, own));
    }
    come_ = whole ? Numbers() : b_;
    lab.held = b_.size() + come_.size();
  }
  void run() override {
    std::ranges::fill(lab_.c, 0);
    const int to = (lab_.rank + lab_.ranks - 1) % lab_.ranks;
    const int from = (lab_.rank + 1) % lab_.ranks;
    for (int step = 0; step < (whole ? 1 : lab_.ranks); ++step) {
      const int first = whole ? 0 : (lab_.rank + step) % lab_.ranks * lines_;
      multiply(lab_, b_.data(), first, std::min(first + lines_, lab_.n));
      if (whole) return;
      const auto size = static_cast<int>(b_.size());
      rooftop::exchange(b_.data(), to, come_.data(), from, size);
      b_.swap(come_);
    }
  }
  void finish() override { lab_.collect(); }

 private:
  Product& lab_;
  const int lines_;
  Numbers b_, come_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Product,
            variant<By<Second::replicated>, Product>("10-replicated", "Each rank has the whole second matrix."),
            variant<By<Second::split>, Product>("20-split", "Each has a part of its rows, and the parts go round."),
            variant<By<Second::transposed>, Product>("30-transposed",
                                                     "Each has a part of its columns, and these go round."));
