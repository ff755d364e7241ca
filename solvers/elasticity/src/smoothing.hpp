/// What a cycle of aggregation does on a level: smoothing, and the way to the next coarser one and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "stage.hpp"

namespace rooftop::elasticity {

constexpr int polynomial_steps = 8;  // where there is no coarser level

/// r -= A d
template <class Real, int size, class Processes>
void subtract(Stage<Real, size>& stage, int threads, const Processes& processes) {
  processes.for_rows(stage.rows(), threads, stage.d, [&](std::int64_t row) {
    const auto sum = row_product(stage.matrix, row, stage.d.data());
    for (std::size_t i = 0; i < size; ++i) stage.r.data()[row * size + static_cast<std::int64_t>(i)] -= sum[i];
  });
}

/// Steps of a Chebyshev polynomial of the fourth kind, from x = 0 if `zero`; r is up to date afterwards if `residual`.
template <class Real, int size, class Processes>
void relax(Stage<Real, size>& stage, int steps, bool zero, bool residual, int threads, const Processes& processes) {
  for (int s = 0; s < steps; ++s) {
    const auto keep = static_cast<Real>(s == 0 ? 0 : (2.0 * s - 1) / (2.0 * s + 3));
    const auto step = static_cast<Real>((8.0 * s + 4) / ((2.0 * s + 3) * static_cast<double>(stage.largest)));
    stage.inverse.for_products(stage.r, threads, [&](std::int64_t row, const auto& better) {
      Real *d = stage.d.data() + row * size, *x = stage.x.data() + row * size;
      for (std::size_t i = 0; i < size; ++i) {
        d[i] = (s == 0 ? 0 : keep * d[i]) + step * better[i];
        x[i] = (zero && s == 0 ? 0 : x[i]) + d[i];
      }
    });
    if (residual || s + 1 < steps) subtract(stage, threads, processes);
  }
}

/// The coarser level's r becomes what this level's is there.
template <class Real, int size>
void restrict_residual(const Stage<Real, size>& stage, Stage<Real, rigid_motions>& coarse, int threads) {
  for_rows(coarse.rows(), threads, [&](std::int64_t row) {
    const Pattern& down = stage.down.pattern;
    const std::int64_t begin = down.start.data()[row];
    const TransposedRow<Real, size> from{down.start.data()[row + 1] - begin, down.column.data() + begin,
                                         stage.down.block.data() + begin, stage.up.block.data()};
    multiply_transposed(from, stage.r.data(), coarse.r.data() + row * rigid_motions);
  });
}

/// Adds the coarser level's x; d becomes what was added.
template <class Real, int size>
void interpolate(const Stage<Real, rigid_motions>& coarse, Stage<Real, size>& stage, int threads) {
  for_rows(stage.rows(), threads, [&](std::int64_t row) {
    std::array<Real, static_cast<std::size_t>(size)> sum{};
    const Pattern& up = stage.up.pattern;
    for (std::int64_t p = up.start.data()[row]; p < up.start.data()[row + 1]; ++p) {
      const auto& block = stage.up.block.data()[p];
      const Real* x = coarse.x.data() + std::int64_t{rigid_motions} * up.column.data()[p];
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t m = 0; m < rigid_motions; ++m) sum[i] += block(i, m) * x[m];
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      stage.d.data()[row * size + static_cast<std::int64_t>(i)] = sum[i];
      stage.x.data()[row * size + static_cast<std::int64_t>(i)] += sum[i];
    }
  });
}

}  // namespace rooftop::elasticity
