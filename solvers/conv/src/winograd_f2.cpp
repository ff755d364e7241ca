// F(2x2,3x3), compiled once per instruction set that Highway knows for this architecture.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_f2.cpp"
#include <hwy/foreach_target.h>

#include "winograd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

template void run_winograd<F2>(const Job&, const Arrays&, int, int);
template void transform_filter_winograd<F2>(const Job&, const float*, float*, int, int);

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
