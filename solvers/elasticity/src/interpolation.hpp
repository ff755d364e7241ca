/// How motions of aggregates become displacements of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "aggregation.hpp"
#include "row_maker.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {

/// Interpolation in steps: what aggregates do to nodes is smoothed as a displacement is whose load is zero, by the same
/// polynomial. A process that shares the matrix gets rows of copies between two steps from those that have them.
template <class Real, int size>
class Interpolation {
 public:
  using Columns = BlockMatrix<Real, size, rigid_motions>;

  /// `start`: of all columns of the matrix. `degree`: how many steps there will be.
  Interpolation(const Stage<Real, size>& fine, Columns start, int degree, int threads, const GoOn& go_on)
      : fine_(fine), degree_(degree), threads_(threads), go_on_(go_on), result_(std::move(start)) {}

  /// `last`: what the step before has added, with rows for all columns; that of the first step is the start.
  /// Returns what this one adds, of the matrix' own rows; nothing if it is the only one.
  [[nodiscard]] Columns step(const Columns& last) {
    const std::int64_t rows = fine_.rows();
    if (degree_ == 1 && fine_.inverse.each_alone()) {
      result_ = smoothed_once(last);
      return {};
    }
    Columns forces = product(fine_.matrix, last, threads_, go_on_);
    residual_ = steps_ == 0 ? std::move(forces) : sum(Real{1}, residual_, Real{1}, forces, rows, threads_, go_on_);
    const auto keep = static_cast<Real>(steps_ == 0 ? 0 : (2.0 * steps_ - 1) / (2.0 * steps_ + 3));
    const auto scale =
        static_cast<Real>(-(8.0 * steps_ + 4) / ((2.0 * steps_ + 3) * static_cast<double>(fine_.largest)));
    const Columns better = fine_.inverse.times(residual_, threads_, go_on_);
    Columns added = sum(keep, steps_ == 0 ? better : last, scale, better, rows, threads_, go_on_);
    result_ = sum(Real{1}, result_, Real{1}, added, rows, threads_, go_on_);
    ++steps_;
    return added;
  }
  [[nodiscard]] const Columns& start() const { return result_; }
  /// Of the matrix' own rows.
  [[nodiscard]] Columns take() { return std::move(result_); }

 private:
  /// The start, and what the first step adds: row by row where no node is smoothed together with others.
  [[nodiscard]] Columns smoothed_once(const Columns& start) const {
    const auto scale = static_cast<Real>(-4 / (3 * static_cast<double>(fine_.largest)));
    return by_rows<Real, size, rigid_motions>(
        fine_.rows(), start.pattern.columns, threads_, go_on_, [&](RowMaker& maker, std::int64_t row, auto& blocks) {
          maker.take_columns(start.pattern, row);
          make_row_product(fine_.matrix, row, start, maker, blocks);
          const Block<Real, size, size>& inverse = fine_.inverse.of_one(row);
          for (auto& block : blocks) {
            Block<Real, size, rigid_motions> better;
            add_product(inverse, block, better);
            for (std::size_t v = 0; v < block.value.size(); ++v) block.value[v] = scale * better.value[v];
          }
          for (std::int64_t s = start.pattern.start.data()[row]; s < start.pattern.start.data()[row + 1]; ++s) {
            auto& sum = place(maker, start.pattern.column.data()[s], blocks);
            for (std::size_t v = 0; v < sum.value.size(); ++v) sum.value[v] += start.block.data()[s].value[v];
          }
        });
  }

  const Stage<Real, size>& fine_;
  int degree_;
  int threads_;
  const GoOn& go_on_;
  Columns result_, residual_;
  int steps_ = 0;
};

}  // namespace rooftop::elasticity
