#include "job.hpp"

#include <algorithm>

namespace rooftop::fft::internal {
namespace {

constexpr Index round_up(Index value, Index to) { return (value + to - 1) / to * to; }

}  // namespace

Job make_job(const Shape& shape, const Options& options) {
  Job job{};
  job.nx = shape.nx, job.ny = shape.ny, job.nz = shape.nz;
  job.x = make_line(shape.nx);
  job.y = make_line(options.axes > 1 ? shape.ny : 1);
  job.z = make_line(options.axes > 2 ? shape.nz : 1);
  job.forward_scale = options.forward_scale, job.backward_scale = options.backward_scale;
  // 128 columns are 2 KiB of each plane, long enough for the memory; a tile takes a quarter of the L2 cache at most.
  // Nothing is fetched ahead: rows of the next tile, often a multiple of 128 KiB apart, would meet in few sets of that
  // cache, and planes are followed by the hardware.
  constexpr Index widest = 128, tile_bytes = Index{512} << 10;
  const Index fitting = tile_bytes / (16 * job.z.n) / most_lanes * most_lanes;
  job.tile_columns = std::clamp(std::min(fitting, round_up(job.plane(), most_lanes)), most_lanes, widest);
  // Written through the caches, lines of a grid that they do not hold would be read before they are written.
  job.stream = shape.size() >= Index{1} << 19;
  const Index rest = shape.ny * (2 * most_lanes + row_gap);  // the last columns of a plane
  job.tile_doubles = round_up(std::max(job.z.n * (2 * job.tile_columns + row_gap), rest), 512) + 32;
  // Lines along x are gathered in the buffer and their results too, which a convolution leaves room for.
  job.buffer_doubles =
      std::max({2 * shape.nx, job.x.buffer_rows(), job.y.buffer_rows(), job.z.buffer_rows()}) * 2 * most_lanes;
  job.factor_doubles = 2 * job.tile_columns;
  return job;
}

}  // namespace rooftop::fft::internal
