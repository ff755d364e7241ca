#include "long_line.hpp"

#include <cmath>
#include <complex>
#include <cstddef>

#include "chirp.hpp"
#include "roots.hpp"

namespace rooftop::fft::internal {
namespace {

constexpr Index fewest_rows = 16;

/// Instructions for each value of a line of n.
double cost_of(Index n) {
  const Operations one = transform_operations(transformable(n) ? n : convolution_length(n));
  return (transformable(n) ? 1 : 2) * (one.lone + one.fused / 2) / static_cast<double>(n);
}

}  // namespace

template <class Real>
Index rows_of_long_line(Index n, Index lines) {
  // Several lines fill a vector as they are, and up to 8192 values of as many are 1 MiB: they stay in the L2 cache.
  if (n < 256 || (lines > most_lanes<Real> / 4 && n <= 8192)) return 0;
  Index best = 0;
  double least = 0;
  for (Index rows = fewest_rows; rows <= n / fewest_rows; ++rows) {
    if (n % rows != 0) continue;
    const auto ratio = static_cast<double>(rows) / static_cast<double>(n / rows);
    // Rows and columns alike in length both fit a cache; rows that fill whole vectors are written without a copy.
    const double cost = (cost_of(rows) + cost_of(n / rows)) * (1 + 0.05 * std::abs(std::log2(ratio))) *
                        (rows % most_lanes<Real> == 0 ? 1 : 1.1);
    if (best == 0 || cost < least) best = rows, least = cost;
  }
  return best;
}

template <class Real>
std::vector<Real> make_turns(const Job<Real>& grid, int lanes) {
  const Index groups = (grid.nz + lanes - 1) / lanes;
  std::vector<Real> turns(static_cast<std::size_t>(groups * grid.nx * 2 * lanes));
  Real* to = turns.data();
  for (Index group = 0; group < groups; ++group) {
    for (Index x = 0; x < grid.nx; ++x, to += 2 * lanes) {
      for (Index lane = 0; lane < lanes; ++lane) {
        const Index row = group * lanes + value_in_lane(lane, lanes);
        const std::complex<long double> root = root_of_unity(x * row, grid.nx * grid.nz);
        to[lane] = static_cast<Real>(root.real());
        to[lanes + lane] = static_cast<Real>(root.imag());
      }
    }
  }
  return turns;
}

template Index rows_of_long_line<double>(Index, Index);
template Index rows_of_long_line<float>(Index, Index);
template std::vector<double> make_turns(const Job<double>&, int);
template std::vector<float> make_turns(const Job<float>&, int);

}  // namespace rooftop::fft::internal
