// Products with a symmetric matrix whose rows have the 27 neighbours of a box's nodes.

#if defined(ROOFTOP_ELASTICITY_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_ELASTICITY_STENCIL_INL
#undef ROOFTOP_ELASTICITY_STENCIL_INL
#else
#define ROOFTOP_ELASTICITY_STENCIL_INL
#endif

#include <hwy/highway.h>

#include "kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Real = ROOFTOP_ELASTICITY_REAL;
using D = hn::CappedTag<Real, 64 / sizeof(Real)>;
using Vector = hn::Vec<D>;
constexpr std::int64_t lanes = hn::MaxLanes(D());

HWY_INLINE Vector load_values(const Real* from) { return hn::Load(D(), from); }
#if ROOFTOP_ELASTICITY_DOUBLE
HWY_INLINE Vector load_values(const float* from) {
  const D tag;
  return hn::PromoteTo(tag, hn::Load(hn::Rebind<float, D>(), from));
}
#endif

/// A lane for each node. A later neighbour of lanes' nodes lies in as many places one behind the other, so there is
/// nothing to gather. x·A x is taken from the rows alone: twice what later neighbours give, once the diagonal.
template <class Value>
double multiply_stencil(const StencilJob<Real, Value>& job, std::int64_t begin, std::int64_t end) {
  const D tag;
  const Vector scale = hn::Set(tag, job.scale);
  double dot = 0;
  for (std::int64_t n = begin; n < end; n += lanes) {
    const Value* a = job.values + n * stencil_values;
    const auto next = [&] {
      const Vector value = load_values(a);
      a += lanes;
      return value;
    };
    const Vector x0 = hn::LoadU(tag, job.x[0] + n), x1 = hn::LoadU(tag, job.x[1] + n),
                 x2 = hn::LoadU(tag, job.x[2] + n);
    const Vector s0 = hn::Mul(scale, x0), s1 = hn::Mul(scale, x1), s2 = hn::Mul(scale, x2);
    const Vector a00 = next(), a01 = next(), a02 = next(), a11 = next(), a12 = next(), a22 = next();
    const Vector d0 = hn::MulAdd(a02, x2, hn::MulAdd(a01, x1, hn::Mul(a00, x0)));
    const Vector d1 = hn::MulAdd(a12, x2, hn::MulAdd(a11, x1, hn::Mul(a01, x0)));
    const Vector d2 = hn::MulAdd(a22, x2, hn::MulAdd(a12, x1, hn::Mul(a02, x0)));
    Vector sum0 = d0, sum1 = d1, sum2 = d2;
    for (int o = 0; o < later_neighbours; ++o) {
      const std::int64_t m = n + job.away[static_cast<std::size_t>(o)];
      const Vector u0 = hn::LoadU(tag, job.x[0] + m), u1 = hn::LoadU(tag, job.x[1] + m),
                   u2 = hn::LoadU(tag, job.x[2] + m);
      Vector y0 = hn::LoadU(tag, job.y[0] + m), y1 = hn::LoadU(tag, job.y[1] + m), y2 = hn::LoadU(tag, job.y[2] + m);
      const Vector b00 = next(), b01 = next(), b02 = next();
      sum0 = hn::MulAdd(b02, u2, hn::MulAdd(b01, u1, hn::MulAdd(b00, u0, sum0)));
      y0 = hn::MulAdd(b00, s0, y0), y1 = hn::MulAdd(b01, s0, y1), y2 = hn::MulAdd(b02, s0, y2);
      const Vector b10 = next(), b11 = next(), b12 = next();
      sum1 = hn::MulAdd(b12, u2, hn::MulAdd(b11, u1, hn::MulAdd(b10, u0, sum1)));
      y0 = hn::MulAdd(b10, s1, y0), y1 = hn::MulAdd(b11, s1, y1), y2 = hn::MulAdd(b12, s1, y2);
      const Vector b20 = next(), b21 = next(), b22 = next();
      sum2 = hn::MulAdd(b22, u2, hn::MulAdd(b21, u1, hn::MulAdd(b20, u0, sum2)));
      y0 = hn::MulAdd(b20, s2, y0), y1 = hn::MulAdd(b21, s2, y1), y2 = hn::MulAdd(b22, s2, y2);
      hn::StoreU(y0, tag, job.y[0] + m), hn::StoreU(y1, tag, job.y[1] + m), hn::StoreU(y2, tag, job.y[2] + m);
    }
    hn::StoreU(hn::MulAdd(scale, sum0, hn::LoadU(tag, job.y[0] + n)), tag, job.y[0] + n);
    hn::StoreU(hn::MulAdd(scale, sum1, hn::LoadU(tag, job.y[1] + n)), tag, job.y[1] + n);
    hn::StoreU(hn::MulAdd(scale, sum2, hn::LoadU(tag, job.y[2] + n)), tag, job.y[2] + n);
    const auto twice = [](Vector sum, Vector diagonal) { return hn::Sub(hn::Add(sum, sum), diagonal); };
    const Vector part = hn::MulAdd(x2, twice(sum2, d2), hn::MulAdd(x1, twice(sum1, d1), hn::Mul(x0, twice(sum0, d0))));
    dot += hn::GetLane(hn::SumOfLanes(tag, part));
  }
  return dot;
}

}  // namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
