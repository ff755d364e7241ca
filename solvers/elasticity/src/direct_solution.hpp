/// The matrix of a level of aggregation, factored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cholesky.hpp"
#include "narrow_order.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

class DirectSolution {
 public:
  /// None where it would take more multiplications than `most_work`.
  template <class Real, int size>
  static std::optional<DirectSolution> of(const BlockMatrix<Real, size, size>& matrix, double most_work) {
    constexpr double least = sizeof(Real) == sizeof(float) ? 1e-7 : 1e-14;
    const Pattern& pattern = matrix.pattern;
    std::vector<std::int32_t> order = narrow_order(pattern);
    std::vector<std::int64_t> first = first_columns(pattern, order, size);
    if (work_to_factor(first) > most_work) return {};
    std::vector<std::int64_t> place(order.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
      place[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
    }
    Envelope full(std::move(first));
    for (std::int64_t node = 0; node < pattern.rows(); ++node) {
      for (std::int64_t b = pattern.start.data()[node]; b < pattern.start.data()[node + 1]; ++b) {
        for (std::int64_t v = 0; v < size * size; ++v) {
          const std::int64_t row = size * place.data()[node] + v / size,
                             column = size * place.data()[pattern.column.data()[b]] + v % size;
          if (column > row) continue;
          full.row(row)[column - full.first(row)] = static_cast<double>(matrix.block.data()[b].value.data()[v]);
        }
      }
    }
    return DirectSolution(std::move(order), Cholesky(std::move(full), least));
  }

  /// x = A^-1 r
  template <class Real, int size>
  void solve(Stage<Real, size>& stage) const {
    std::vector<double> values(order_.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(stage.r[size * static_cast<std::size_t>(order_[i / size]) + i % size]);
    }
    factor_.solve(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      stage.x[size * static_cast<std::size_t>(order_[i / size]) + i % size] = static_cast<Real>(values[i]);
    }
  }
  [[nodiscard]] double bytes() const { return factor_.bytes(); }

 private:
  DirectSolution(std::vector<std::int32_t> order, Cholesky factor)
      : order_(std::move(order)), factor_(std::move(factor)) {}

  std::vector<std::int32_t> order_;
  Cholesky factor_;
};

}  // namespace rooftop::elasticity
