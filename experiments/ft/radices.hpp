/// A line's length as a product of 8s and one smaller power of two, and the roots of unity that its passes take.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "butterflies.hpp"
#include "problem.hpp"

namespace ft {

/// One pass: butterflies of `radix` values, `rest` apart in lines of radix * rest; `before` such lines lie interleaved.
struct Pass {
  int radix;
  Index rest;
  Index before;
  std::vector<double> roots;  ///< [place below rest][1 … radix - 1]: real and imaginary part of w^(place * i)
};

struct Passes {
  Index n = 0;
  std::vector<Pass> passes;

  explicit Passes(Index length) : n(length) {
    Index before = 1;
    for (Index left = n; left > 1;) {
      const int radix = left % 8 == 0 ? 8 : static_cast<int>(left);
      left /= radix;
      Pass pass{radix, left, before, {}};
      for (Index place = 0; place < left; ++place) {
        for (int i = 1; i < radix; ++i) {
          const auto turn = static_cast<double>(place * i) / static_cast<double>(radix * left);
          pass.roots.push_back(std::cos(2 * std::numbers::pi * turn));
          pass.roots.push_back(-std::sin(2 * std::numbers::pi * turn));
        }
      }
      passes.push_back(pass);
      before *= radix;
    }
  }

  /// Of one line.
  [[nodiscard]] Operations operations() const {
    Operations sum;
    for (const Pass& pass : passes) {
      const Operations one = butterfly_operations(pass.radix);
      const double count = static_cast<double>(n) / pass.radix;
      sum = {sum.lone + count * one.lone, sum.fused + count * one.fused};
    }
    return sum;
  }
};

/// Of one transform of the grid.
inline Operations radix_8_operations(const Problem& problem) {
  Operations sum;
  for (const Index length : {problem.nx, problem.ny, problem.nz}) {
    const Operations line = Passes(length).operations();
    const double lines = static_cast<double>(problem.size()) / static_cast<double>(length);
    sum = {sum.lone + lines * line.lone, sum.fused + lines * line.fused};
  }
  return sum;
}

}  // namespace ft
