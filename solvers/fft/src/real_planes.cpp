#include "real_planes.hpp"

#include <algorithm>

namespace rooftop::fft::internal {

template <class Real>
RealPlanes<Real>::RealPlanes(Index nx, Index ny, Index lines, const Ways& ways)
    : nx_(nx), ny_(ny), rows_(nx, lines, ways, 1) {
  if (ny > 1) y_.emplace(Axis{nx / 2 + 1, ny, 1}, false, unscaled(ways), 1);
}

template <class Real>
bool RealPlanes<Real>::are_long(Index nx, Index ny, Index lines) {
  return RealRows<Real>::are_long(nx, lines) || is_long<Real>(ny, most_lanes<Real>, false);
}

template <class Real>
Index RealPlanes<Real>::scratch_reals() const {
  constexpr Index line = 64 / sizeof(Real);
  const Index reals = std::max(rows_.scratch_reals(), y_ ? y_->scratch_reals() : 0);
  return (reals + line - 1) / line * line;
}

template <class Real>
Operations RealPlanes<Real>::operations() const {
  const Operations row = rows_.operations(), y = y_ ? y_->operations() : Operations{};
  const auto rows = static_cast<double>(ny_);
  return {rows * row.lone + y.lone, rows * row.fused + y.fused};
}

template <class Real>
void RealPlanes<Real>::forward(const Real* values, Real* modes, Real* memory, TeamStop& stop) const {
  if (rows_.together()) {
    rows_.forward_together(values, modes, ny_, memory, 0, 1, stop);
  } else {
    rows_.forward(values, modes, ny_, memory, stop.limit());
  }
  if (y_) y_->run(false, modes, modes, memory, 0, 1, stop);
}

template <class Real>
void RealPlanes<Real>::backward(Real* modes, Real* swept, Real* values, Real* memory, TeamStop& stop) const {
  if (y_) y_->run(true, modes, swept, memory, 0, 1, stop);
  const Real* const from = y_ ? swept : modes;
  if (rows_.together()) return rows_.backward_together(from, values, ny_, memory, 0, 1, stop);
  rows_.backward(from, values, ny_, memory, stop.limit());
}

template class RealPlanes<double>;
template class RealPlanes<float>;

}  // namespace rooftop::fft::internal
