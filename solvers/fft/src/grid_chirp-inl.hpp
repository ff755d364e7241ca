// The second of the three sweeps that convolve a line in a grid; the others are those along z of any grid.

#if defined(ROOFTOP_FFT_GRID_CHIRP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_GRID_CHIRP_INL
#undef ROOFTOP_FFT_GRID_CHIRP_INL
#else
#define ROOFTOP_FFT_GRID_CHIRP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "grid_chirp.hpp"
#include "grid_turns-inl.hpp"
#include "sweeps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using GridChirp = internal::GridChirp<Real>;

/// Takes transformed rows times the chirp's spectrum, their parts exchanged, so that what follows is a transform back.
struct RowsTimesSpectrum {
  Buffer rows;
  const Real* spectrum;

  HWY_INLINE void store(Index row, const Value& v) const {
    const Real* const s = spectrum + row * row_reals;
    const Value both = product(v, hn::LoadU(Tag(), s), hn::LoadU(Tag(), s + lanes));
    rows.store(row, {both.im, both.re});
  }
};

/// Turns the rows of a grid, transforms them along x, and back with the chirp: what is left has its parts exchanged,
/// and is to be transformed along z.
HWY_INLINE void convolve_rows(const Job& job, const GridChirp& chirp, Real* grid, const Scratch& scratch, int thread,
                              int threads) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + job.nx * row_reals};
  const Index groups = (job.nz + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = group * lanes, count = std::min<Index>(lanes, job.nz - first);
    const Real* const spectrum = chirp.spectrum.data() + group * job.nx * row_reals;
    Rows<false> rows;
    for (Index l = 0; l < lanes; ++l) rows.line[l] = grid + 2 * job.nx * (first + std::min(l, count - 1));
    fetch_lines(behind(rows.line[0], 2 * job.nx * lanes), 2 * job.nx * lanes);
    gather_lines(rows, job.nx, buffer);
    turn_rows(chirp.turns, group, job.nx, 1, buffer);
    transform_by_passes<Radices::small>(job.x, buffer, buffer, RowsTimesSpectrum{results, spectrum});
    transform_by_passes<Radices::small>(job.x, results, results, buffer);
    turn_rows(chirp.turns, group, job.nx, 1, buffer);
    scatter_lines(buffer, job.nx, rows);
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
