/// Cholesky's factors of a symmetric matrix, and solving with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rooftop::elasticity {

/// The lower triangle of a symmetric matrix, each row from its first value that is other than zero: factoring leaves
/// zero what is before.
class Envelope {
 public:
  /// `first`: the first column of each row, at most the row itself.
  explicit Envelope(std::vector<std::int64_t> first);

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(first_.size()); }
  [[nodiscard]] std::int64_t first(std::int64_t row) const { return first_[static_cast<std::size_t>(row)]; }
  /// Values of a row, from first() to the diagonal.
  [[nodiscard]] double* row(std::int64_t row) { return value_.data() + start_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] const double* row(std::int64_t row) const {
    return value_.data() + start_[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] double bytes() const { return static_cast<double>(value_.size() * sizeof(double)); }

 private:
  std::vector<std::int64_t> first_, start_;
  std::vector<double> value_;
};

/// How many multiplications it takes to factor a matrix with rows that begin there.
[[nodiscard]] double work_to_factor(std::span<const std::int64_t> first);

/// What becomes of a pivot that is nothing but rounding.
enum class SmallPivot {
  raised,   ///< it counts as the least that it may be
  left_out  ///< its unknown stays zero
};

class Cholesky {
 public:
  /// A positive semidefinite matrix. A pivot that falls below `least` of the diagonal is small.
  Cholesky(Envelope matrix, double least, SmallPivot small = SmallPivot::raised);

  /// b becomes A^-1 b; unknowns whose diagonal is zero stay zero.
  void solve(std::span<double> b) const;
  [[nodiscard]] double bytes() const { return factor_.bytes(); }

 private:
  Envelope factor_;
};

}  // namespace rooftop::elasticity
