/// Modes of U0 by their definition, without a fast transform: direct sums, taken apart by axes.
#pragma once

#include <span>
#include <vector>

#include "problem.hpp"

namespace ft {

/// How modes along one axis are weighed, as how its values are: sum over k of w[k] F[k] = sum over x of values[x] u[x].
struct ModeWeights {
  std::vector<Complex> values;  ///< [x]: sum over k of w[k] exp(-2 pi i k x / n)
  double of_mean;               ///< w[0]: only mode 0 has a part of the values' mean
};

/// Weighs mode k by 1, all others by 0.
[[nodiscard]] ModeWeights single_mode(Index n, Index k);
/// Weighs every mode. Time: n^2.
[[nodiscard]] ModeWeights weighed_modes(std::span<const double> weights);

struct ModeSums {
  std::vector<Complex> sums;  ///< modes weighed by x[a] y[b] z[c]: one sum for each a, b and c, c fastest
  double squares;             ///< sum over the grid of |U0|^2, which is the mean of all modes' |F|^2 (Parseval)
};

/// Of the forward transform of U0, which is not divided. Time: size() * |x|.
[[nodiscard]] ModeSums mode_sums(const Problem& problem, const std::vector<ModeWeights>& x,
                                 const std::vector<ModeWeights>& y, const std::vector<ModeWeights>& z);

}  // namespace ft
