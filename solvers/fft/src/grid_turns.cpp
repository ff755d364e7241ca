#include "grid_turns.hpp"

#include <complex>

namespace rooftop::fft::internal {
namespace {

/// Appends the turns exp(-2 pi i x z / n) of a group of rows.
template <class Real>
void append_turns(const RootTable& turns, Index n, Index x, const std::vector<Index>& rows, std::vector<Real>& to) {
  for (const bool imaginary : {false, true}) {
    for (const Index z : rows) {
      const std::complex<long double> turn = turns(x * z % n);
      to.push_back(static_cast<Real>(imaginary ? turn.imag() : turn.real()));
    }
  }
}

}  // namespace

template <class Real>
GridTurns<Real> make_grid_turns(Index nx, Index nz, const RootTable& turns,
                                const std::vector<std::vector<Index>>& groups) {
  GridTurns<Real> made;
  for (const std::vector<Index>& group : groups) {
    for (Index x = 0; x < nx; x += near_turns) append_turns(turns, nx * nz, x, group, made.far);
    for (Index x = 0; x < near_turns; ++x) append_turns(turns, nx * nz, x, group, made.near);
  }
  return made;
}

template GridTurns<double> make_grid_turns(Index, Index, const RootTable&, const std::vector<std::vector<Index>>&);
template GridTurns<float> make_grid_turns(Index, Index, const RootTable&, const std::vector<std::vector<Index>>&);

}  // namespace rooftop::fft::internal
