// Products with a symmetric matrix whose rows have the 27 neighbours of a box's nodes.

#if defined(ROOFTOP_ELASTICITY_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_ELASTICITY_STENCIL_INL
#undef ROOFTOP_ELASTICITY_STENCIL_INL
#else
#define ROOFTOP_ELASTICITY_STENCIL_INL
#endif

#include <hwy/cache_control.h>
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

// What one later neighbour's vector adds to lies partly where the one before was just stored, which the processor waits
// for. A second vector of nodes between them gives it other work, where there are registers for both.
constexpr int most_together = lanes * sizeof(Real) == 64 ? 2 : 1;

/// A lane for each node. A later neighbour of lanes' nodes lies in as many places one behind the other, so there is
/// nothing to gather. x·A x is taken from the rows alone: twice what later neighbours give, once the diagonal.
template <int together, class Value>
HWY_INLINE double multiply_together(const StencilJob<Real, Value>& job, std::int64_t n) {
  constexpr std::int64_t ahead = 2048 / sizeof(Value);  // the processor's own prefetching stops at a page's end
  const D tag;
  const Vector scale = hn::Set(tag, job.scale);
  const Value* a[together];
  Vector s0[together], s1[together], s2[together], d0[together], d1[together], d2[together], sum0[together],
      sum1[together], sum2[together];
  const auto next = [&](int v) HWY_ATTR {
    const Vector value = load_values(a[v]);
    hwy::Prefetch(a[v] + ahead);
    a[v] += lanes;
    return value;
  };
  for (int v = 0; v < together; ++v) {
    const std::int64_t at = n + v * lanes;
    a[v] = job.values + at * stencil_values;
    const Vector x0 = hn::LoadU(tag, job.x[0] + at), x1 = hn::LoadU(tag, job.x[1] + at),
                 x2 = hn::LoadU(tag, job.x[2] + at);
    s0[v] = hn::Mul(scale, x0), s1[v] = hn::Mul(scale, x1), s2[v] = hn::Mul(scale, x2);
    const Vector a00 = next(v), a01 = next(v), a02 = next(v), a11 = next(v), a12 = next(v), a22 = next(v);
    d0[v] = hn::MulAdd(a02, x2, hn::MulAdd(a01, x1, hn::Mul(a00, x0)));
    d1[v] = hn::MulAdd(a12, x2, hn::MulAdd(a11, x1, hn::Mul(a01, x0)));
    d2[v] = hn::MulAdd(a22, x2, hn::MulAdd(a12, x1, hn::Mul(a02, x0)));
    sum0[v] = d0[v], sum1[v] = d1[v], sum2[v] = d2[v];
  }
  for (int o = 0; o < later_neighbours; ++o) {
    for (int v = 0; v < together; ++v) {
      const std::int64_t m = n + v * lanes + job.away[static_cast<std::size_t>(o)];
      const Vector u0 = hn::LoadU(tag, job.x[0] + m), u1 = hn::LoadU(tag, job.x[1] + m),
                   u2 = hn::LoadU(tag, job.x[2] + m);
      Vector y0 = hn::LoadU(tag, job.y[0] + m), y1 = hn::LoadU(tag, job.y[1] + m), y2 = hn::LoadU(tag, job.y[2] + m);
      const Vector b00 = next(v), b01 = next(v), b02 = next(v);
      sum0[v] = hn::MulAdd(b02, u2, hn::MulAdd(b01, u1, hn::MulAdd(b00, u0, sum0[v])));
      y0 = hn::MulAdd(b00, s0[v], y0), y1 = hn::MulAdd(b01, s0[v], y1), y2 = hn::MulAdd(b02, s0[v], y2);
      const Vector b10 = next(v), b11 = next(v), b12 = next(v);
      sum1[v] = hn::MulAdd(b12, u2, hn::MulAdd(b11, u1, hn::MulAdd(b10, u0, sum1[v])));
      y0 = hn::MulAdd(b10, s1[v], y0), y1 = hn::MulAdd(b11, s1[v], y1), y2 = hn::MulAdd(b12, s1[v], y2);
      const Vector b20 = next(v), b21 = next(v), b22 = next(v);
      sum2[v] = hn::MulAdd(b22, u2, hn::MulAdd(b21, u1, hn::MulAdd(b20, u0, sum2[v])));
      y0 = hn::MulAdd(b20, s2[v], y0), y1 = hn::MulAdd(b21, s2[v], y1), y2 = hn::MulAdd(b22, s2[v], y2);
      hn::StoreU(y0, tag, job.y[0] + m), hn::StoreU(y1, tag, job.y[1] + m), hn::StoreU(y2, tag, job.y[2] + m);
    }
  }
  double dot = 0;
  for (int v = 0; v < together; ++v) {
    const std::int64_t at = n + v * lanes;
    hn::StoreU(hn::MulAdd(scale, sum0[v], hn::LoadU(tag, job.y[0] + at)), tag, job.y[0] + at);
    hn::StoreU(hn::MulAdd(scale, sum1[v], hn::LoadU(tag, job.y[1] + at)), tag, job.y[1] + at);
    hn::StoreU(hn::MulAdd(scale, sum2[v], hn::LoadU(tag, job.y[2] + at)), tag, job.y[2] + at);
    const auto twice = [](Vector sum, Vector diagonal) HWY_ATTR { return hn::Sub(hn::Add(sum, sum), diagonal); };
    const Vector x0 = hn::LoadU(tag, job.x[0] + at), x1 = hn::LoadU(tag, job.x[1] + at),
                 x2 = hn::LoadU(tag, job.x[2] + at);
    const Vector part = hn::MulAdd(x2, twice(sum2[v], d2[v]),
                                   hn::MulAdd(x1, twice(sum1[v], d1[v]), hn::Mul(x0, twice(sum0[v], d0[v]))));
    dot += hn::GetLane(hn::SumOfLanes(tag, part));
  }
  return dot;
}

template <class Value>
double multiply_stencil(const StencilJob<Real, Value>& job, std::int64_t begin, std::int64_t end) {
  double dot = 0;
  std::int64_t n = begin;
  for (; n + most_together * lanes <= end; n += most_together * lanes) dot += multiply_together<most_together>(job, n);
  for (; n < end; n += lanes) dot += multiply_together<1>(job, n);
  return dot;
}

}  // namespace rooftop::elasticity::ROOFTOP_ELASTICITY_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
