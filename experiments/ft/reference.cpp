#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "initial.hpp"

namespace ft {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Complex dot(const std::vector<double>& weights, const std::vector<Complex>& row) {
  Complex sum{0, 0};
  for (std::size_t x = 0; x < row.size(); ++x) {
    sum.re += weights[x] * row[x].re;
    sum.im += weights[x] * row[x].im;
  }
  return sum;
}

void add(Complex& sum, double weight, Complex value) {
  sum.re += weight * value.re;
  sum.im += weight * value.im;
}

/// Adds what `of_row(row of U0, y, z, sums)` finds in every row to `count` sums.
template <typename OfRow>
std::vector<Complex> over_rows(const Problem& p, std::size_t count, const OfRow& of_row) {
  std::vector<Complex> total(count, Complex{0, 0});
#pragma omp parallel num_threads(p.threads)
  {
    std::vector<Complex> sums(count, Complex{0, 0});
    std::vector<Complex> row(at(p.nx));
#pragma omp for schedule(static)
    for (Index line = 0; line < p.ny * p.nz; ++line) {
      draw_initial(line * p.nx, p.nx, row.data());
      of_row(row, line % p.ny, line / p.ny, sums);
    }
#pragma omp critical
    for (std::size_t i = 0; i < count; ++i) add(total[i], 1, sums[i]);
  }
  return total;
}

}  // namespace

std::vector<double> heat_kernel(Index n, int t) {
  constexpr double pi = std::numbers::pi;
  std::vector<double> factor(at(n)), cosine(at(n)), kernel(at(n), 0.0);
  for (Index i = 0; i < n; ++i) {
    const auto wave = static_cast<double>(wave_number(i, n));
    factor[at(i)] = std::exp(-4 * alpha * pi * pi * wave * wave * t);
    cosine[at(i)] = std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(n));
  }
  for (Index d = 0; d < n; ++d) {
    for (Index i = 0; i < n; ++i) kernel[at(d)] += factor[at(i)] * cosine[at(i * d % n)];
    kernel[at(d)] /= static_cast<double>(n);
  }
  return kernel;
}

std::vector<double> spread(std::span<const double> weights, std::span<const double> kernel) {
  const std::size_t n = weights.size();
  std::vector<double> result(n, 0.0);
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t d = 0; d < n; ++d) result[x] += weights[d] * kernel[(d + n - x) % n];
  }
  return result;
}

std::vector<Complex> weighed_sums(const Problem& problem, const Weights& x, const Weights& y, const Weights& z) {
  const auto of_row = [&](const std::vector<Complex>& row, Index line_y, Index line_z, std::vector<Complex>& sums) {
    std::size_t i = 0;
    for (const auto& along_x : x) {
      const Complex sum = dot(along_x, row);
      for (const auto& along_y : y) {
        for (const auto& along_z : z) add(sums[i++], along_y[at(line_y)] * along_z[at(line_z)], sum);
      }
    }
  };
  return over_rows(problem, x.size() * y.size() * z.size(), of_row);
}

Complex reference_checksum(const Problem& problem, int t) {
  const Problem& p = problem;
  const auto kernel_x = heat_kernel(p.nx, t), kernel_y = heat_kernel(p.ny, t), kernel_z = heat_kernel(p.nz, t);
  // Points come back to the same x after nx of them.
  const Index columns = std::min(p.nx, checksum_points);
  Weights along_x;
  for (Index j = 1; j <= columns; ++j) {
    std::vector<double> point(at(p.nx), 0.0);
    point[at(j % p.nx)] = 1;
    along_x.push_back(spread(point, kernel_x));
  }
  const auto of_row = [&](const std::vector<Complex>& row, Index y, Index z, std::vector<Complex>& sums) {
    for (Index column = 1; column <= columns; ++column) {
      double weight = 0;
      for (Index j = column; j <= checksum_points; j += p.nx) {
        weight += kernel_y[at((3 * j % p.ny + p.ny - y) % p.ny)] * kernel_z[at((5 * j % p.nz + p.nz - z) % p.nz)];
      }
      add(sums[0], weight, dot(along_x[at(column - 1)], row));
    }
  };
  // The transforms are not divided by the number of points, the checksum is: U_t's values are summed as they are.
  return over_rows(p, 1, of_row)[0];
}

}  // namespace ft
