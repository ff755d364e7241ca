/// The choice of a schedule by timing, for plans that will run often.
#pragma once

#include "kernels.hpp"
#include "schedule.hpp"

namespace rooftop::conv::internal {

/// Times the cost model's best schedule of every algorithm that the options allow, on arrays of its own, and returns
/// the fastest. Throws std::bad_alloc where those arrays do not fit, Stopped where options.stop asks for it.
Schedule measure(const Geometry& geometry, const Options& options, int threads, const Kernels& kernels);

}  // namespace rooftop::conv::internal
