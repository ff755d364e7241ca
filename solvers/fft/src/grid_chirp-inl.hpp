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

/// Turns `lanes` rows of nx values, the far turns and the near ones being those of their group.
HWY_INLINE void turn_rows(Index nx, const Real* far, const Real* near, const Buffer& rows) {
  for (Index first = 0; first < nx; first += near_turns, far += row_reals) {
    const Vector far_re = hn::LoadU(Tag(), far), far_im = hn::LoadU(Tag(), far + lanes);
    const Index count = std::min(near_turns, nx - first);
    for (Index i = 0; i < count; ++i) {
      const Real* const at = near + i * row_reals;
      const Value turn = product({hn::LoadU(Tag(), at), hn::LoadU(Tag(), at + lanes)}, far_re, far_im);
      rows.store(first + i, product(rows.load(first + i), turn.re, turn.im));
    }
  }
}

/// Turns the rows of a grid, transforms them along x, and back with the chirp: what is left has its parts exchanged,
/// and is to be transformed along z.
HWY_INLINE void convolve_rows(const Job& job, const GridChirp& chirp, Real* grid, const Scratch& scratch, int thread,
                              int threads) {
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + job.nx * row_reals};
  const Index groups = (job.nz + lanes - 1) / lanes, end = share(groups, thread + 1, threads);
  const Index group_reals = job.nx * row_reals, near_reals = near_turns * row_reals;
  const Index far_reals = (job.nx + near_turns - 1) / near_turns * row_reals;
  for (Index group = share(groups, thread, threads); group < end; ++group) {
    const Index first = group * lanes, count = std::min<Index>(lanes, job.nz - first);
    const Real *const far = chirp.far.data() + group * far_reals, *const near = chirp.near.data() + group * near_reals;
    const Real* const spectrum = chirp.spectrum.data() + group * group_reals;
    Rows<false> rows;
    for (Index l = 0; l < lanes; ++l) rows.line[l] = grid + 2 * job.nx * (first + std::min(l, count - 1));
    fetch_lines(behind(rows.line[0], 2 * job.nx * lanes), 2 * job.nx * lanes);
    gather_lines(rows, job.nx, buffer);
    turn_rows(job.nx, far, near, buffer);
    transform_by_passes(job.x, buffer, buffer, RowsTimesSpectrum{results, spectrum});
    transform_by_passes(job.x, results, results, buffer);
    turn_rows(job.nx, far, near, buffer);
    scatter_lines(buffer, job.nx, rows);
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
