#include "direct_modes.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "initial.hpp"

namespace ft {
namespace {

// Values are drawn from [0, 1), both parts. Their mean stays out of the sums, and is put back as what it transforms to:
// sums of what is left have random signs. With it, partial sums along z were thousands of times as large as the modes
// that they end in, and so were their roundings.
constexpr double mean = 0.5;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Complex product(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
void add(Complex& sum, Complex value) { sum = {sum.re + value.re, sum.im + value.im}; }

/// exp(-2 pi i k / n), rounded once wherever long double is longer than double.
std::vector<Complex> exact_roots(Index n) {
  std::vector<Complex> roots;
  for (Index k = 0; k < n; ++k) {
    const long double angle =
        2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    roots.push_back({static_cast<double>(std::cos(angle)), static_cast<double>(-std::sin(angle))});
  }
  return roots;
}

/// Of a row without its mean.
Complex weighed(const std::vector<Complex>& weights, const std::vector<Complex>& row) {
  Complex sum{0, 0};
  for (std::size_t x = 0; x < row.size(); ++x) add(sum, product(weights[x], {row[x].re - mean, row[x].im - mean}));
  return sum;
}

double squares_of(const std::vector<Complex>& row) {
  double sum = 0;
  for (const Complex value : row) sum += value.re * value.re + value.im * value.im;
  return sum;
}

}  // namespace

ModeWeights single_mode(Index n, Index k) {
  const std::vector<Complex> roots = exact_roots(n);
  ModeWeights result{{}, k == 0 ? 1.0 : 0.0};
  for (Index x = 0; x < n; ++x) result.values.push_back(roots[at(k * x % n)]);
  return result;
}

ModeWeights weighed_modes(std::span<const double> weights) {
  const auto n = static_cast<Index>(weights.size());
  const std::vector<Complex> roots = exact_roots(n);
  ModeWeights result{std::vector<Complex>(weights.size(), Complex{0, 0}), weights[0]};
  for (Index x = 0; x < n; ++x) {
    for (Index k = 0; k < n; ++k) add(result.values[at(x)], product({weights[at(k)], 0}, roots[at(k * x % n)]));
  }
  return result;
}

ModeSums mode_sums(const Problem& problem, const std::vector<ModeWeights>& x, const std::vector<ModeWeights>& y,
                   const std::vector<ModeWeights>& z) {
  const Problem& p = problem;
  ModeSums total{std::vector<Complex>(x.size() * y.size() * z.size(), Complex{0, 0}), 0};
#pragma omp parallel num_threads(p.threads)
  {
    std::vector<Complex> sums(total.sums.size(), Complex{0, 0}), row(at(p.nx));
    double squares = 0;
#pragma omp for schedule(static)
    for (Index line = 0; line < p.ny * p.nz; ++line) {
      draw_initial(line * p.nx, p.nx, row.data());
      squares += squares_of(row);
      std::size_t i = 0;
      for (const ModeWeights& along_x : x) {
        const Complex sum = weighed(along_x.values, row);
        for (const ModeWeights& along_y : y) {
          const Complex turned = product(sum, along_y.values[at(line % p.ny)]);
          for (const ModeWeights& along_z : z) add(sums[i++], product(turned, along_z.values[at(line / p.ny)]));
        }
      }
    }
#pragma omp critical
    {
      for (std::size_t i = 0; i < sums.size(); ++i) add(total.sums[i], sums[i]);
      total.squares += squares;
    }
  }
  std::size_t i = 0;
  const double mode_of_mean = mean * static_cast<double>(p.size());
  for (const ModeWeights& along_x : x) {
    for (const ModeWeights& along_y : y) {
      for (const ModeWeights& along_z : z) {
        const double part = mode_of_mean * along_x.of_mean * along_y.of_mean * along_z.of_mean;
        add(total.sums[i++], {part, part});
      }
    }
  }
  return total;
}

}  // namespace ft
