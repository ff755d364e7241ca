/// Planes of real values along x and y, one by one in a thread's cache.
#pragma once

#include <optional>

#include "axis_sweep.hpp"
#include "real_rows.hpp"

namespace rooftop::fft::internal {

/// Planes of nx ny real values, with (nx / 2 + 1) ny modes each. Scratch is that of one thread.
template <class Real>
class RealPlanes {
 public:
  /// So many lines along x in all.
  RealPlanes(Index nx, Index ny, Index lines, const Ways& ways);

  /// Whether some lines are so long that threads would take them together: such planes are transformed outside of a
  /// team.
  [[nodiscard]] static bool are_long(Index nx, Index ny, Index lines);

  [[nodiscard]] Index nx() const { return nx_; }
  [[nodiscard]] Index scratch_reals() const;  ///< whole cache lines
  [[nodiscard]] Index value_reals() const { return nx_ * ny_; }
  [[nodiscard]] Index mode_reals() const { return 2 * (nx_ / 2 + 1) * ny_; }
  [[nodiscard]] Operations operations() const;  ///< for one plane

  /// Transforms the values of one plane to its modes, in another array. Once `stop` is stopped, the rest is left out.
  void forward(const Real* values, Real* modes, Real* memory, TeamStop& stop) const;
  /// Transforms the modes of one plane to values in a third array, by way of `swept`, which may be `modes`.
  void backward(Real* modes, Real* swept, Real* values, Real* memory, TeamStop& stop) const;

 private:
  Index nx_, ny_;
  RealRows<Real> rows_;
  std::optional<AxisSweep<Real>> y_;
};

}  // namespace rooftop::fft::internal
