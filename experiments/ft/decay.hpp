/// What modes are multiplied by on their way into a buffer of lines along z.
#pragma once

#include <cstddef>
#include <vector>

#include "batches.hpp"
#include "steps.hpp"

namespace ft {

/// The factors of modes in lines along z, of which those with the same y are a set; whole tables, of which the lines at
/// hand may begin anywhere.
struct Decay {
  std::vector<double> x, y, z;
  Index first_x = 0, first_y = 0;

  [[nodiscard]] double of(Index i, Index s) const {
    return z[static_cast<std::size_t>(i)] * y[static_cast<std::size_t>(first_y + s)];
  }
  [[nodiscard]] double one(Index i, Index l, Index s) const {
    return of(i, s) * x[static_cast<std::size_t>(first_x + l)];
  }
  [[nodiscard]] Lanes four(Index i, Index l, Index s) const { return of(i, s) * load_four(x.data() + first_x + l); }
};

/// After t iterations.
inline Decay decay_after(const Problem& p, int t, Index first_x = 0, Index first_y = 0) {
  return {decay_along(p.nx, t), decay_along(p.ny, t), decay_along(p.nz, t), first_x, first_y};
}

}  // namespace ft
