/// Where a grid's values are sampled, and what all of them are weighed by, at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "problem.hpp"

namespace ft {

/// A few places along an axis: both ends, the middle, and some other one.
inline std::vector<Index> places(Index n, std::mt19937_64& random) {
  const std::set<Index> some{0, n / 2, static_cast<Index>(random() % static_cast<std::uint64_t>(n)), n - 1};
  return {some.begin(), some.end()};
}

/// Random weights of magnitude in [1/2, 1): an error cannot hide behind a small one.
inline std::vector<double> random_weights(Index n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(0.5, 1.0);
  std::vector<double> weights(static_cast<std::size_t>(n));
  for (double& weight : weights) weight = (random() & 1U) != 0 ? size(random) : -size(random);
  return weights;
}

/// What is looked at in a field: values at all triples of places, and the sum of all values, weighed by x y z.
struct Sampling {
  std::vector<Index> x, y, z;
  std::vector<double> weight_x, weight_y, weight_z;

  explicit Sampling(const Problem& p) {
    std::mt19937_64 random(1);
    x = places(p.nx, random), y = places(p.ny, random), z = places(p.nz, random);
    weight_x = random_weights(p.nx, random);
    weight_y = random_weights(p.ny, random);
    weight_z = random_weights(p.nz, random);
  }

  /// Where references for them lie, which are one more for each axis: the last is the weighed one.
  [[nodiscard]] std::size_t at(std::size_t a, std::size_t b, std::size_t c) const {
    return (a * (y.size() + 1) + b) * (z.size() + 1) + c;
  }

  /// Calls with x, y and z of every sample and with the place of its reference.
  template <typename Call>
  void for_each(const Call& call) const {
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = 0; b < y.size(); ++b) {
        for (std::size_t c = 0; c < z.size(); ++c) call(x[a], y[b], z[c], at(a, b, c));
      }
    }
  }
};

}  // namespace ft
