#include "job.hpp"

#include <unistd.h>

#include <algorithm>

#include "kernels.hpp"

namespace rooftop::fft::internal {
namespace {

/// From so many bytes on, results are written past the caches. Smaller ones are left in the last cache, where the next
/// sweep finds them: a quarter of it, since it holds what is read as well, and other programs use it too. On a Xeon
/// with 480 MiB, results up to 64 MiB gained.
Index streamed_from() {
  constexpr Index least = Index{8} << 20, most = Index{64} << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
  static const Index cache_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::clamp(cache_bytes / 4, least, most);
#else
  return least;
#endif
}

Index streamed_bytes = 0;  ///< 0: not set

constexpr Index round_up(Index value, Index to) { return (value + to - 1) / to * to; }

/// Columns of a tile that takes so many bytes at most, 1 KiB of each plane: that is long enough for the memory.
template <class Real>
Index columns_of_tile(const Job<Real>& job, Index bytes) {
  constexpr Index value_bytes = 2 * sizeof(Real), widest = 1024 / value_bytes, least = most_lanes<Real>;
  const Index fitting = bytes / (value_bytes * job.z.n) / least * least;
  return std::clamp(std::min(fitting, round_up(job.plane(), least)), least, widest);
}

/// Of `lengths`, those that are 1 are not transformed.
template <class Real>
Job<Real> make_job_of(const Shape& shape, const Shape& lengths, const Ways& ways) {
  constexpr Index real_bytes = sizeof(Real), value_bytes = 2 * real_bytes;
  Job<Real> job{};
  job.nx = shape.nx, job.ny = shape.ny, job.nz = shape.nz;
  job.x = make_line<Real>(lengths.nx);
  const Index lines = lengths.ny * lengths.nz == 1 ? shape.ny * shape.nz : most_lanes<Real>;
  job.kernels = lengths.nx > 1 ? &kernels_for<Real>(lengths.nx, lines) : &kernels<Real>();
  if (fills_vectors(lengths.nx, lines, job.kernels->lanes)) {
    job.wide_x = make_wide_line<Real>(lengths.nx, job.kernels->lanes);
  }
  job.y = make_line<Real>(lengths.ny);
  job.z = make_line<Real>(lengths.nz);
  job.forward_scale = static_cast<Real>(ways.forward_scale);
  job.backward_scale = static_cast<Real>(ways.backward_scale);
  // Two tiles, or two pairs of them, stay in the L2 cache.
  job.tile_columns = columns_of_tile(job, Index{512} << 10);
  job.pair_columns = columns_of_tile(job, Index{192} << 10);
  // Written through the caches, lines of a grid that they do not hold would be read before they are written.
  const bool large = shape.size() * value_bytes >= (streamed_bytes > 0 ? streamed_bytes : streamed_from());
  job.stream = ways.stream.value_or(large);
  // Rows that are a multiple of 2 KiB apart meet in few sets of a cache; an odd number of 128 bytes apart they spread
  // over all. Up to about twice an L2 cache, a plane of such rows is better copied; of others it is not.
  constexpr Index most_copied = (Index{5} << 19) / real_bytes;
  const Index plane_row = 2 * shape.nx + row_gap<Real>;
  const bool meeting = shape.nx * value_bytes % 2048 == 0;
  const bool copied = job.y.n > 1 && meeting && plane_row * shape.ny <= most_copied;
  job.plane_row = copied ? plane_row : 0;
  const Index last_columns = shape.ny * (2 * most_lanes<Real> + row_gap<Real>);  // of a plane
  const Index block = std::max({job.plane_row * shape.ny, last_columns, 2 * job.tile_reals(job.tile_columns),
                                4 * job.tile_reals(job.pair_columns)});
  job.block_reals = round_up(block, 4096 / real_bytes) + 256 / real_bytes;
  // Lines along x are gathered in the buffer and their results too, which a convolution leaves room for; real values
  // have one mode more.
  job.buffer_reals = std::max({2 * (lengths.nx + 1), job.x.buffer_rows(), job.y.buffer_rows(), job.z.buffer_rows()}) *
                     2 * most_lanes<Real>;
  job.factor_reals = std::max(2 * job.tile_columns, 4 * job.pair_columns);
  return job;
}

}  // namespace

void write_past_caches_from_for_test(Index bytes) { streamed_bytes = bytes; }

template <class Real>
Job<Real> make_job(const Shape& shape, const Ways& ways) {
  const Shape lengths{shape.nx, ways.axes > 1 ? shape.ny : 1, ways.axes > 2 ? shape.nz : 1};
  return make_job_of<Real>(shape, lengths, ways);
}

template <class Real>
Job<Real> make_columns_job(const Shape& shape, const Ways& ways) {
  return make_job_of<Real>(shape, {1, 1, shape.nz}, ways);
}

template <class Real>
Index Job<Real>::tile_reals(Index columns) const {
  constexpr Index real_bytes = sizeof(Real);
  return round_up(z.n * (2 * columns + row_gap<Real>), 4096 / real_bytes) + 256 / real_bytes;
}

template struct Job<double>;
template struct Job<float>;
template Job<double> make_job(const Shape&, const Ways&);
template Job<float> make_job(const Shape&, const Ways&);
template Job<double> make_columns_job(const Shape&, const Ways&);
template Job<float> make_columns_job(const Shape&, const Ways&);

}  // namespace rooftop::fft::internal
