/// Which algorithm and which blocks a plan uses, and the job that carries them out.
#pragma once

#include "geometry.hpp"
#include "kernels.hpp"

namespace rooftop::conv::internal {

/// One way to do a convolution.
struct Schedule {
  int m = 0;               ///< F(m); 0 for the direct method
  Index block_tiles = 0;   ///< see Tiling
  bool cooperative = false;
};

/// The sizes of a shape. Throws InvalidArgument if one is out of range or an array would exceed the address space.
Geometry make_geometry(const Shape& shape, const Options& options);

Job make_job(const Geometry& geometry, const Schedule& schedule, Index panel, int threads);

std::size_t image_floats(const Geometry& geometry);
std::size_t output_floats(const Geometry& geometry);
std::size_t filter_floats(const Job& job);
std::size_t scratch_floats(const Job& job, int threads);

double multiply_add_flops(const Job& job);
double transform_flops(const Job& job);

/// Blocks for F(m) that keep the stages' arrays in the caches; m = 0 gives the direct method.
Schedule blocks_for(const Geometry& geometry, int m, int threads);

/// The schedule that the cost model expects to be fastest among those that the options allow.
Schedule choose(const Geometry& geometry, const Options& options, int threads);

}  // namespace rooftop::conv::internal
