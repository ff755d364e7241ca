// F(6x6,3x3), compiled once per instruction set that Highway knows for this architecture.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd_f6.cpp"
#include <hwy/foreach_target.h>

#include "winograd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

template void run_winograd<F6>(const Job&, const Arrays&, int, int);
template void transform_filter_winograd<F6>(const Job&, const float*, float*, int, int);

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
