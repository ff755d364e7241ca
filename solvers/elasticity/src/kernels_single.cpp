// The kernels in single precision, compiled once per instruction set that Highway knows for this architecture; the
// best one is chosen at run time.
#define ROOFTOP_ELASTICITY_REAL float
#define ROOFTOP_ELASTICITY_DOUBLE 0
#define ROOFTOP_ELASTICITY_PRECISION single_precision

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels_single.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels-inl.hpp"
