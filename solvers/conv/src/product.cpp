// The product that all algorithms share, compiled once per instruction set that Highway knows for this architecture.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product.cpp"
#include <hwy/foreach_target.h>

#include "product-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {

template void multiply_add_block<false>(const Product&, Index, Index, int);

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
