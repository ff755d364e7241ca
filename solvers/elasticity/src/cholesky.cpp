#include "cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rooftop::elasticity {
namespace {

/// In four sums, which compilers keep in one vector.
double dot(const double* one, const double* other, std::int64_t count) {
  constexpr std::int64_t lanes = 4;
  std::array<double, lanes> sums{};
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::int64_t k = 0; k < lanes; ++k) sums[static_cast<std::size_t>(k)] += one[i + k] * other[i + k];
  }
  for (; i < count; ++i) sums[0] += one[i] * other[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Envelope::Envelope(std::vector<std::int64_t> first) : first_(std::move(first)) {
  std::int64_t values = 0;
  for (std::int64_t row = 0; row < rows(); ++row) {
    start_.push_back(values);
    values += row - first_[static_cast<std::size_t>(row)] + 1;
  }
  value_.resize(static_cast<std::size_t>(values));
}

double work_to_factor(std::span<const std::int64_t> first) {
  double sum = 0;
  for (std::size_t row = 0; row < first.size(); ++row) {
    const double width = static_cast<double>(static_cast<std::int64_t>(row) - first[row] + 1);
    sum += width * width / 2;
  }
  return sum;
}

Cholesky::Cholesky(Envelope matrix, double least, SmallPivot small) : factor_(std::move(matrix)) {
  for (std::int64_t i = 0; i < factor_.rows(); ++i) {
    double* row = factor_.row(i);
    const std::int64_t begin = factor_.first(i);
    for (std::int64_t j = begin; j <= i; ++j) {
      const double* other = factor_.row(j);
      const std::int64_t common = std::max(begin, factor_.first(j));
      const double known = row[j - begin];
      const double left = known - dot(row + (common - begin), other + (common - factor_.first(j)), j - common);
      if (i != j) {
        const double pivot = other[j - factor_.first(j)];
        row[j - begin] = pivot > 0 ? left / pivot : 0;
      } else {
        // What is singular but for rounding may come out below zero.
        const double bound = least * known;
        row[j - begin] = left > bound ? std::sqrt(left) : small == SmallPivot::raised ? std::sqrt(bound) : 0;
      }
    }
  }
}

void Cholesky::solve(std::span<double> b) const {
  const std::int64_t n = factor_.rows();
  for (std::int64_t i = 0; i < n; ++i) {
    const double* row = factor_.row(i);
    const std::int64_t begin = factor_.first(i);
    const double pivot = row[i - begin];
    double& value = b[static_cast<std::size_t>(i)];
    value = pivot > 0 ? (value - dot(row, b.data() + begin, i - begin)) / pivot : 0;
  }
  for (std::int64_t i = n; i-- > 0;) {
    const double* row = factor_.row(i);
    const std::int64_t begin = factor_.first(i);
    const double pivot = row[i - begin];
    double& value = b[static_cast<std::size_t>(i)];
    value = pivot > 0 ? value / pivot : 0;
    for (std::int64_t k = begin; k < i; ++k) b.data()[k] -= row[k - begin] * value;
  }
}

}  // namespace rooftop::elasticity
