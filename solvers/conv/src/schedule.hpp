/// Which algorithm and which blocks a plan uses, and the job that carries them out.
#pragma once

#include <vector>

#include "geometry.hpp"
#include "kernels.hpp"

namespace rooftop::conv::internal {

/// One way to do a convolution.
struct Schedule {
  int m = 0;              ///< F(m); 0 for the direct method
  Index block_tiles = 0;  ///< see Tiling
  Sharing sharing = Sharing::tiles;
  int threads = 1;            ///< at most those allowed: a small layer is done before a team has met
  bool fused_filter = false;  ///< see Tiling
  bool stream = false;        ///< write the output past the caches, where whole lines are written
};

/// Throws InvalidArgument for sizes of an array that are negative, or more than can be addressed.
void check_sizes(std::int64_t n, std::int64_t channels, std::int64_t h, std::int64_t w);

/// The sizes of a shape. Throws InvalidArgument if one is out of range or an array would exceed the address space.
Geometry make_geometry(const Shape& shape, const Options& options);

/// Whether F(m) takes few channels through registers: Tiling::in_registers.
bool in_registers(const Geometry& geometry, int m);

Job make_job(const Geometry& geometry, const Schedule& schedule, Index panel);

std::size_t image_floats(const Geometry& geometry);
std::size_t output_floats(const Geometry& geometry);
std::size_t filter_floats(const Job& job);  ///< of the filter that run() takes
std::size_t scratch_floats(const Job& job, int threads);

double multiply_add_flops(const Job& job);
double transform_flops(const Job& job);

/// The algorithms that the options allow, as Schedule::m: 0 for direct, 2, 4, 6.
std::vector<int> allowed_algorithms(const Options& options);

/// The ways worth considering for one algorithm on up to `threads` threads, with what the cost model expects each to
/// take in processor cycles.
struct Estimate {
  Schedule schedule;
  double cycles = 0;
};
std::vector<Estimate> estimates(const Geometry& geometry, int m, int threads, const Kernels& kernels);

/// The same with fewer tiles in each block, if it has more than fit: as many as V and M take 7/8 of an L2 cache, and
/// half as many. None where blocks are made together, hold all tiles for a fused filter, or go through registers.
std::vector<Schedule> smaller_blocks(const Geometry& geometry, const Schedule& schedule, const Kernels& kernels,
                                     Index l2_bytes);

/// Whether F(m), 0 for the direct method, can write the output past the caches: in blocks, and in planes that are whole
/// cache lines; few channels in registers do in any planes.
bool streamable(const Geometry& geometry, int m);

/// The cheapest estimate among the algorithms that the options allow.
Schedule choose(const Geometry& geometry, const Options& options, int threads, const Kernels& kernels);

}  // namespace rooftop::conv::internal
