// The kernels in double precision, compiled once per instruction set that Highway knows for this architecture; the
// best one is chosen at run time.
#define ROOFTOP_ELASTICITY_REAL double
#define ROOFTOP_ELASTICITY_DOUBLE 1
#define ROOFTOP_ELASTICITY_PRECISION double_precision

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels_double.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels-inl.hpp"
