/// One level of aggregation: its matrix, what smooths there, and how it gets to the next coarser one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "cluster_inverse.hpp"
#include "grid.hpp"
#include "lanczos.hpp"

namespace rooftop::elasticity {

/// Blocks of rows that threads take: about as many for each.
template <class Each>
void for_rows(const Share& rows, int threads, Each each) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (std::int64_t row = rows.begin; row < rows.end; ++row) each(row);
}
template <class Each>
void for_rows(std::int64_t rows, int threads, Each each) {
  for_rows(Share{0, rows}, threads, each);
}

/// A process that has all rows of a matrix. Where several share one, another class of the same functions stands here:
/// a level has rows of own nodes then, and its columns are these and nodes of other processes behind them.
struct Alone {
  /// Calls each(row) for all rows. It may read `values` of any column.
  template <class Real, class Each>
  void for_rows(std::int64_t rows, int threads, std::vector<Real>& /*values*/, Each each) const {
    elasticity::for_rows(rows, threads, each);
  }
  [[nodiscard]] double sum_of_all(double own) const { return own; }
  /// Of a row, among those of all processes.
  [[nodiscard]] std::int64_t number(std::int64_t row) const { return row; }
};

/// Pseudo-random numbers from -1 to 1, of which a process needs some only.
class RandomValues {
 public:
  /// So many are left out.
  explicit RandomValues(std::int64_t left_out) {
    std::uint32_t factor = 1664525U, summand = 1013904223U;  // of 1, 2, 4, ... steps
    for (auto left = static_cast<std::uint64_t>(left_out); left > 0; left /= 2) {
      if (left % 2 == 1) state_ = state_ * factor + summand;
      summand *= factor + 1;
      factor *= factor;
    }
  }
  float operator()() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(state_ >> 8) / (1U << 23) - 1;
  }

 private:
  std::uint32_t state_ = 12345;
};

/// Real is float where elements are about as long as they are wide, and double where the matrix has more digits than
/// float can tell apart.
template <class Real, int size>
struct Stage {
  BlockMatrix<Real, size, size> matrix;
  ClusterInverse<Real, size> inverse;
  Real largest = 1;                           // eigenvalue of inverse times matrix
  int steps = 2;                              // of smoothing, before and after a correction
  BlockMatrix<Real, size, rigid_motions> up;  // interpolation; empty on the last level
  Transposed down;
  std::vector<Real> x, r, d;  // d: for all columns

  [[nodiscard]] std::int64_t rows() const { return matrix.pattern.rows(); }
  [[nodiscard]] double bytes() const {
    return matrix.bytes() + up.bytes() + inverse.bytes() +
           static_cast<double>(3 * x.size() * sizeof(Real) + down.block.size() * sizeof(std::int64_t)) +
           static_cast<double>(down.pattern.column.size() * sizeof(std::int32_t));
  }
};

/// Of D^-1 A, from values at random; uses the stage's vectors. Processes that share it agree on what `go_on` says.
template <class Real, int size, class Processes>
double largest_eigenvalue(Stage<Real, size>& stage, int threads, const GoOn& go_on, const Processes& processes) {
  for_rows(stage.rows(), threads, [&](std::int64_t row) {
    RandomValues random(size * processes.number(row));
    for (std::int64_t i = row * size; i < (row + 1) * size; ++i) stage.r.data()[i] = static_cast<Real>(random());
  });
  // Summed up in the order of rows whatever the threads.
  std::vector<double> parts(static_cast<std::size_t>(stage.rows()));
  const auto sum_of_parts = [&] {
    double total = 0;
    for (const double part : parts) total += part;
    return processes.sum_of_all(total);
  };
  Lanczos lanczos;
  for (int s = 0; s < lanczos_steps && go_on(); ++s) {
    stage.inverse.for_products(stage.r, threads, [&](std::int64_t row, const auto& z) {
      const Real* r = stage.r.data() + row * size;
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) part += static_cast<double>(z[i]) * static_cast<double>(r[i]);
      parts.data()[row] = part;
    });
    const auto beta = static_cast<Real>(lanczos.beta(sum_of_parts()));
    stage.inverse.for_products(stage.r, threads, [&](std::int64_t row, const auto& z) {
      Real* d = stage.d.data() + row * size;
      for (std::size_t i = 0; i < size; ++i) d[i] = z[i] + beta * d[i];
    });
    processes.for_rows(stage.rows(), threads, stage.d, [&](std::int64_t row) {
      const auto product = row_product(stage.matrix, row, stage.d.data());
      const Real* d = stage.d.data() + row * size;
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) {
        stage.x.data()[row * size + static_cast<std::int64_t>(i)] = product[i];
        part += static_cast<double>(product[i]) * static_cast<double>(d[i]);
      }
      parts.data()[row] = part;
    });
    const auto alpha = static_cast<Real>(lanczos.alpha(sum_of_parts()));
    if (!(alpha > 0)) break;
    for_rows(stage.rows(), threads, [&](std::int64_t row) {
      for (std::int64_t i = row * size; i < (row + 1) * size; ++i) stage.r.data()[i] -= alpha * stage.x.data()[i];
    });
  }
  return lanczos.largest();
}

/// Makes room for vectors, and inverts the diagonal's blocks.
template <class Real, int size>
void prepare(Stage<Real, size>& stage, const Clusters& clusters, int threads) {
  const std::int64_t rows = stage.rows();
  const auto count = static_cast<std::size_t>(rows * size);
  stage.x.assign(count, 0);
  stage.r.assign(count, 0);
  stage.d.assign(static_cast<std::size_t>(stage.matrix.pattern.columns * size), 0);
  stage.inverse = ClusterInverse(stage.matrix, clusters, threads);
}

template <class Real, int size>
void set_up(Stage<Real, size>& stage, const Clusters& clusters, int threads, const GoOn& go_on) {
  prepare(stage, clusters, threads);
  stage.largest = static_cast<Real>(largest_eigenvalue(stage, threads, go_on, Alone()));
}

/// The level's r becomes the residual, of norm 1.
template <class Real>
void take(const Field<double>& r, double norm, Stage<Real, components>& stage, int threads) {
  const double scale = 1 / norm;
  for_rows(stage.rows(), threads, [&](std::int64_t n) {
    for (int c = 0; c < components; ++c) stage.r.data()[components * n + c] = static_cast<Real>(scale * r[c][n]);
  });
}
/// What take() was for is done: z becomes the level's x.
template <class Real>
void give(const Stage<Real, components>& stage, double norm, Field<double>& z, int threads) {
  for_rows(stage.rows(), threads, [&](std::int64_t n) {
    for (int c = 0; c < components; ++c) z[c][n] = norm * static_cast<double>(stage.x.data()[components * n + c]);
  });
}

}  // namespace rooftop::elasticity
