// Turns the rows of a grid that holds one line.

#if defined(ROOFTOP_FFT_GRID_TURNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_GRID_TURNS_INL
#undef ROOFTOP_FFT_GRID_TURNS_INL
#else
#define ROOFTOP_FFT_GRID_TURNS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "grid_turns.hpp"
#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using GridTurns = internal::GridTurns<Real>;

/// Turns a group of `lanes` rows of nx values, and scales them.
HWY_INLINE void turn_rows(const GridTurns& turns, Index group, Index nx, Real scale, const Buffer& rows) {
  const Real* far = turns.far.data() + group * GridTurns::far_reals(nx, lanes);
  const Real* const near = turns.near.data() + group * GridTurns::near_reals(lanes);
  const Vector times = hn::Set(Tag(), scale);
  for (Index first = 0; first < nx; first += near_turns, far += row_reals) {
    const Vector far_re = hn::Mul(times, hn::LoadU(Tag(), far)), far_im = hn::Mul(times, hn::LoadU(Tag(), far + lanes));
    const Index count = std::min(near_turns, nx - first);
    for (Index i = 0; i < count; ++i) {
      const Real* const at = near + i * row_reals;
      const Value turn = product({hn::LoadU(Tag(), at), hn::LoadU(Tag(), at + lanes)}, far_re, far_im);
      rows.store(first + i, product(rows.load(first + i), turn.re, turn.im));
    }
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
