// The entry points, in the precision of the file that includes this. That defines ROOFTOP_ELASTICITY_REAL, the type,
// ROOFTOP_ELASTICITY_DOUBLE, whether it is double, and ROOFTOP_ELASTICITY_PRECISION, a namespace of its own: equal
// names would let the linker take either precision for both.

#if defined(ROOFTOP_ELASTICITY_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_ELASTICITY_KERNELS_INL
#undef ROOFTOP_ELASTICITY_KERNELS_INL
#else
#define ROOFTOP_ELASTICITY_KERNELS_INL
#endif

#include <hwy/highway.h>

#include "kernels.hpp"
#include "stencil-inl.hpp"
#include "tensor-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE {

void smooth(std::int64_t count, Real keep, Real step, bool first, const Real* w, const Real* r, Real* d, Real* x) {
  const D tag;
  const auto kept = hn::Set(tag, keep), stepped = hn::Set(tag, step);
  for (std::int64_t i = 0; i < count; i += lanes) {
    auto next = hn::Mul(stepped, hn::Mul(hn::LoadU(tag, w + i), hn::LoadU(tag, r + i)));
    if (keep != 0) next = hn::MulAdd(kept, hn::LoadU(tag, d + i), next);
    hn::StoreU(next, tag, d + i);
    hn::StoreU(first ? next : hn::Add(hn::LoadU(tag, x + i), next), tag, x + i);
  }
}

const Kernels<Real>& table() {
  static const Kernels<Real> kernels{static_cast<int>(lanes), multiply_stencil<Real>, multiply_stencil<float>,
                                     multiply_tensor,         tensor_scratch,         smooth};
  return kernels;
}

}  // namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::elasticity {
namespace ROOFTOP_ELASTICITY_PRECISION {

HWY_EXPORT(table);

const Kernels<ROOFTOP_ELASTICITY_REAL>& best_table() { return HWY_DYNAMIC_DISPATCH(table)(); }

}  // namespace ROOFTOP_ELASTICITY_PRECISION

template <>
const Kernels<ROOFTOP_ELASTICITY_REAL>& kernels<ROOFTOP_ELASTICITY_REAL>() {
  return ROOFTOP_ELASTICITY_PRECISION::best_table();
}

}  // namespace rooftop::elasticity
#endif

#endif
