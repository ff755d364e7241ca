/// FT's solution without a Fourier transform: the heat kernel on a torus is a product of three periodic kernels, one
/// for each axis, and U_t is U0 convolved with it.
#pragma once

#include <span>
#include <vector>

#include "problem.hpp"

namespace ft {

/// g[d] = 1/n sum over i of exp(-4 alpha pi^2 ī^2 t) cos(2 pi ī d / n): what lies d places away contributes that.
[[nodiscard]] std::vector<double> heat_kernel(Index n, int t);

/// w[x] = sum over d of weights[d] g[(d - x) mod n]: weighing U_t along an axis is weighing U0 by that.
[[nodiscard]] std::vector<double> spread(std::span<const double> weights, std::span<const double> kernel);

/// Weights along one axis, one vector of the axis's length for each functional.
using Weights = std::vector<std::vector<double>>;

/// Sums U0 over the grid, weighed by x[a] y[b] z[c]: one sum for each a, b and c, c fastest. Time: size() * |x|.
[[nodiscard]] std::vector<Complex> weighed_sums(const Problem& problem, const Weights& x, const Weights& y,
                                                const Weights& z);

/// The checksum of iteration t. Time: size() * min(nx, 1024).
[[nodiscard]] Complex reference_checksum(const Problem& problem, int t);

}  // namespace ft
