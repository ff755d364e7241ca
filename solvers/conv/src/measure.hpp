/// The choice of a schedule by timing, for plans that will run often.
#pragma once

#include <vector>

#include "kernels.hpp"
#include "schedule.hpp"

namespace rooftop::conv::internal {

struct Candidate {
  Schedule schedule;
  bool smaller_blocks = false;
};

/// Of every algorithm that the options allow, the cost model's schedules, and the cheapest of them in smaller blocks:
/// what a V and an M behind the L2 cache cost differs too much between processors for a model.
std::vector<Candidate> candidates(const Geometry& geometry, const Options& options, int threads, const Kernels& kernels,
                                  Index l2_bytes);

/// Whether one of two ways that were timed in turn is faster, by more than a disturbance explains: by 3 % in nine of
/// ten turns.
bool clearly_faster(const std::vector<double>& times, const std::vector<double>& than);

/// Times the candidates for this processor's L2 cache, on arrays of its own, and returns the fastest: one in smaller
/// blocks where it is clearly faster than those of the model. Throws std::bad_alloc where those arrays do not fit,
/// Stopped where options.stop asks for it.
Schedule measure(const Geometry& geometry, const Options& options, int threads, const Kernels& kernels);

}  // namespace rooftop::conv::internal
