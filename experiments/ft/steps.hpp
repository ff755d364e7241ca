/// The benchmark's steps around its transforms, one array after the other as NPB has them. Rungs that fuse them with
/// the transforms write their own.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "initial.hpp"
#include "problem.hpp"

namespace ft {

/// U0, by `threads` threads: rows of it are drawn independently.
inline void draw_initial(const Problem& p, Complex* values, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index line = 0; line < p.ny * p.nz; ++line) draw_initial(line * p.nx, p.nx, values + line * p.nx);
}

/// decay[i] = exp(-4 alpha pi^2 |k|^2): what one iteration multiplies mode i by.
inline void decay_factors(const Problem& p, double* decay, int threads) {
  constexpr double rate = -4 * alpha * std::numbers::pi * std::numbers::pi;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index line = 0; line < p.ny * p.nz; ++line) {
    const Index ky = wave_number(line % p.ny, p.ny), kz = wave_number(line / p.ny, p.nz);
    for (Index x = 0; x < p.nx; ++x) {
      const Index kx = wave_number(x, p.nx);
      decay[line * p.nx + x] = std::exp(rate * static_cast<double>(kx * kx + ky * ky + kz * kz));
    }
  }
}

/// The part of it that one axis has after t iterations: decay at (i, j, k) is the product of three of these.
inline std::vector<double> decay_along(Index n, int t) {
  std::vector<double> factors(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto wave = static_cast<double>(wave_number(i, n));
    factors[static_cast<std::size_t>(i)] = std::exp(-4 * alpha * std::numbers::pi * std::numbers::pi * wave * wave * t);
  }
  return factors;
}

/// modes *= decay; evolved = modes
inline void evolve(const Problem& p, const double* decay, Complex* modes, Complex* evolved, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index i = 0; i < p.size(); ++i) {
    modes[i] = {modes[i].re * decay[i], modes[i].im * decay[i]};
    evolved[i] = modes[i];
  }
}

/// 1/N sum over j = 1 … 1024 of field(j mod nx, 3j mod ny, 5j mod nz)
inline Complex checksum(const Problem& p, const Complex* field) {
  Complex sum{0, 0};
  for (Index j = 1; j <= checksum_points; ++j) {
    const Complex value = field[((5 * j % p.nz) * p.ny + 3 * j % p.ny) * p.nx + j % p.nx];
    sum = {sum.re + value.re, sum.im + value.im};
  }
  const auto n = static_cast<double>(p.size());
  return {sum.re / n, sum.im / n};
}

constexpr bool power_of_two(Index n) { return (n & (n - 1)) == 0; }

}  // namespace ft
