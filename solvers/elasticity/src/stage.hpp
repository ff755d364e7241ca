/// One level of aggregation: its matrix, what smooths there, and how it gets to the next coarser one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "aggregation.hpp"
#include "block_matrix.hpp"
#include "lanczos.hpp"

namespace rooftop::elasticity {

/// Blocks of rows that threads take: about as many for each.
template <class Each>
void for_rows(std::int64_t rows, int threads, Each each) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (std::int64_t row = 0; row < rows; ++row) each(row);
}

template <int size>
struct Stage {
  using Square = Block<float, size, size>;

  BlockMatrix<float, size, size> matrix;
  std::vector<Square> inverse;                 // of the diagonal's blocks
  float largest = 1;                           // eigenvalue of inverse times matrix
  BlockMatrix<float, size, rigid_motions> up;  // interpolation; empty on the last level
  Transposed down;
  std::vector<float> x, r, d;

  [[nodiscard]] std::int64_t rows() const { return matrix.pattern.rows(); }
  [[nodiscard]] double bytes() const {
    return matrix.bytes() + up.bytes() + static_cast<double>(inverse.size() * sizeof(Square)) +
           static_cast<double>(3 * x.size() * sizeof(float) + down.block.size() * sizeof(std::int64_t)) +
           static_cast<double>(down.pattern.column.size() * sizeof(std::int32_t));
  }
};

/// Row times vector.
template <int size>
std::array<float, static_cast<std::size_t>(size)> row_product(const BlockMatrix<float, size, size>& matrix,
                                                              std::int64_t row, const float* x) {
  std::array<float, static_cast<std::size_t>(size)> sum{};
  for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
    const float* a = matrix.block.data()[b].value.data();
    const float* in = x + std::int64_t{size} * matrix.pattern.column.data()[b];
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c < size; ++c) sum[r] += a[r * size + c] * in[c];
    }
  }
  return sum;
}

/// z = D^-1 r of a row
template <int size>
std::array<float, static_cast<std::size_t>(size)> inverse_times(const Stage<size>& stage, std::int64_t row,
                                                                const float* r) {
  const float* a = stage.inverse.data()[row].value.data();
  std::array<float, static_cast<std::size_t>(size)> sum{};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t c = 0; c < size; ++c) sum[i] += a[i * size + c] * r[c];
  }
  return sum;
}

/// Of D^-1 A, from values at random; uses the stage's vectors.
template <int size>
double largest_eigenvalue(Stage<size>& stage, int threads, const GoOn& go_on) {
  std::uint32_t random = 12345;
  for (float& value : stage.r) {
    random = random * 1664525U + 1013904223U;
    value = static_cast<float>(random >> 8) / (1U << 23) - 1;
  }
  // Sums over rows of each(row), in the order of rows whatever the threads.
  std::vector<double> parts(static_cast<std::size_t>(stage.rows()));
  const auto sum = [&](auto each) {
    for_rows(stage.rows(), threads, [&](std::int64_t row) { parts.data()[row] = each(row); });
    double total = 0;
    for (const double part : parts) total += part;
    return total;
  };
  Lanczos lanczos;
  for (int s = 0; s < lanczos_steps && go_on(); ++s) {
    const auto beta = static_cast<float>(lanczos.beta(sum([&](std::int64_t row) {
      const float* r = stage.r.data() + row * size;
      const auto z = inverse_times(stage, row, r);
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) part += static_cast<double>(z[i]) * static_cast<double>(r[i]);
      return part;
    })));
    for_rows(stage.rows(), threads, [&](std::int64_t row) {
      const auto z = inverse_times(stage, row, stage.r.data() + row * size);
      float* d = stage.d.data() + row * size;
      for (std::size_t i = 0; i < size; ++i) d[i] = z[i] + beta * d[i];
    });
    const auto alpha = static_cast<float>(lanczos.alpha(sum([&](std::int64_t row) {
      const auto product = row_product(stage.matrix, row, stage.d.data());
      const float* d = stage.d.data() + row * size;
      double part = 0;
      for (std::size_t i = 0; i < size; ++i) {
        stage.x.data()[row * size + static_cast<std::int64_t>(i)] = product[i];
        part += static_cast<double>(product[i]) * static_cast<double>(d[i]);
      }
      return part;
    })));
    if (!(alpha > 0)) break;
    for_rows(stage.rows(), threads, [&](std::int64_t row) {
      for (std::int64_t i = row * size; i < (row + 1) * size; ++i) stage.r.data()[i] -= alpha * stage.x.data()[i];
    });
  }
  return lanczos.largest();
}

template <int size>
void set_up(Stage<size>& stage, int threads, const GoOn& go_on) {
  const std::int64_t rows = stage.rows();
  const auto count = static_cast<std::size_t>(rows * size);
  stage.x.assign(count, 0);
  stage.r.assign(count, 0);
  stage.d.assign(count, 0);
  stage.inverse.resize(static_cast<std::size_t>(rows));
  for_rows(rows, threads, [&](std::int64_t row) {
    const Pattern& pattern = stage.matrix.pattern;
    for (std::int64_t b = pattern.start.data()[row]; b < pattern.start.data()[row + 1]; ++b) {
      if (pattern.column.data()[b] != row) continue;
      Block<double, size, size> block;
      for (std::size_t v = 0; v < block.value.size(); ++v) {
        block.value[v] = static_cast<double>(stage.matrix.block.data()[b].value[v]);
      }
      block = inverse_of(block);
      for (std::size_t v = 0; v < block.value.size(); ++v) {
        stage.inverse.data()[row].value[v] = static_cast<float>(block.value[v]);
      }
    }
  });
  stage.largest = static_cast<float>(largest_eigenvalue(stage, threads, go_on));
}

}  // namespace rooftop::elasticity
