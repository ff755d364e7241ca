// One-dimensional Winograd transforms of F(m,3), on vectors of channels. Included once per instruction set.
//
// For interpolation points {0, +-p1, +-p2, .., infinity} the rows of B^T and A^T come in pairs that share their even
// and odd parts, which halves the arithmetic. Points: F(2) {0, +-1}; F(4) {0, +-1/sqrt 2, +-sqrt 2}, whose error is
// four to five times below that of {0, +-1, +-2}; F(6) {0, +-1/2, +-1, +-2}. Method: S. Winograd 1980; A. Lavin and S.
// Gray 2016.

#if defined(ROOFTOP_CONV_TRANSFORM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_CONV_TRANSFORM_INL
#undef ROOFTOP_CONV_TRANSFORM_INL
#else
#define ROOFTOP_CONV_TRANSFORM_INL
#endif

#include <hwy/highway.h>

#include "points.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::conv::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
inline constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag()));

/// out = B^T in
HWY_INLINE void input_1d(const Vector (&in)[4], Vector (&out)[4]) {
  out[0] = hn::Sub(in[2], in[0]);
  out[1] = hn::Add(in[2], in[1]);
  out[2] = hn::Sub(in[2], in[1]);
  out[3] = hn::Sub(in[3], in[1]);
}

HWY_INLINE void input_1d(const Vector (&in)[6], Vector (&out)[6]) {
  const Tag d;
  const auto p2 = hn::Set(d, static_cast<float>(F4::p2));
  const auto s1 = hn::Set(d, static_cast<float>(F4::s1)), s2 = hn::Set(d, static_cast<float>(F4::s2));
  static_assert(F4::s1 * F4::s2 == 1.0 && F4::p1 == F4::s1 * F4::p2, "the rows rely on it");
  const auto even1 = hn::NegMulAdd(s2, in[2], in[4]), odd1 = hn::NegMulAdd(s1, in[3], in[1]);
  out[1] = hn::NegMulAdd(p2, odd1, even1);
  out[2] = hn::MulAdd(p2, odd1, even1);
  const auto even2 = hn::NegMulAdd(s1, in[2], in[4]), odd2 = hn::NegMulAdd(s1, in[1], in[3]);
  out[3] = hn::MulAdd(p2, odd2, even2);
  out[4] = hn::NegMulAdd(p2, odd2, even2);
  out[0] = hn::NegMulAdd(s2, in[2], hn::Add(in[0], even2));
  out[5] = hn::NegMulAdd(s2, in[3], hn::Add(odd1, in[5]));
}

HWY_INLINE void input_1d(const Vector (&in)[8], Vector (&out)[8]) {
  const Tag d;
  const auto set = [d](double v) HWY_ATTR { return hn::Set(d, static_cast<float>(v)); };
  // Pi (x^2 - s_i) = x^6 - e1 x^4 + e2 x^2 - e3
  const auto e1 = set(F6::s1 + F6::s2 + F6::s3);
  const auto e2 = set(F6::s1 * F6::s2 + F6::s1 * F6::s3 + F6::s2 * F6::s3);
  static_assert(F6::s1 * F6::s2 * F6::s3 == 1.0, "the outer rows rely on it");
  out[0] = hn::MulAdd(e2, in[2], hn::NegMulAdd(e1, in[4], hn::Sub(in[6], in[0])));
  out[7] = hn::MulAdd(e2, in[3], hn::NegMulAdd(e1, in[5], hn::Sub(in[7], in[1])));
  const auto pair = [&](double p, double sum, double product, int row) HWY_ATTR {
    const auto even = hn::MulAdd(set(product), in[2], hn::NegMulAdd(set(sum), in[4], in[6]));
    const auto odd = hn::MulAdd(set(product), in[1], hn::NegMulAdd(set(sum), in[3], in[5]));
    out[row] = hn::MulAdd(set(p), odd, even);
    out[row + 1] = hn::NegMulAdd(set(p), odd, even);
  };
  pair(F6::p1, F6::s2 + F6::s3, F6::s2 * F6::s3, 1);
  pair(F6::p2, F6::s1 + F6::s3, F6::s1 * F6::s3, 3);
  pair(F6::p3, F6::s1 + F6::s2, F6::s1 * F6::s2, 5);
}

/// The same for F(E) on some of the points of F(M): see EdgeOf.
template <int M, int E>
HWY_INLINE void edge_input_1d(const Vector (&in)[E + 2], Vector (&out)[E + 2]) {
  using Edge = EdgeOf<M, E>;
  const Tag d;
  const auto set = [d](double v) HWY_ATTR { return hn::Set(d, static_cast<float>(v)); };
  const auto pair = [&](int i, auto even, auto odd) HWY_ATTR {
    const auto scaled = hn::Mul(set(Edge::factors[1 + i]), even);
    const auto p = set(Edge::factors[1 + i] * Edge::points[i]);
    out[1 + 2 * i] = hn::MulAdd(p, odd, scaled);
    out[2 + 2 * i] = hn::NegMulAdd(p, odd, scaled);
  };
  constexpr double s0 = Edge::points[0] * Edge::points[0];
  if constexpr (Edge::pairs == 1) {
    out[0] = hn::Mul(set(Edge::factors[0]), hn::NegMulAdd(set(s0), in[0], in[2]));
    pair(0, in[2], in[1]);
    out[3] = hn::NegMulAdd(set(s0), in[1], in[3]);
  } else {
    constexpr double s1 = Edge::points[1] * Edge::points[1];
    out[0] = hn::Mul(set(Edge::factors[0]), hn::MulAdd(set(s0 * s1), in[0], hn::NegMulAdd(set(s0 + s1), in[2], in[4])));
    pair(0, hn::NegMulAdd(set(s1), in[2], in[4]), hn::NegMulAdd(set(s1), in[1], in[3]));
    pair(1, hn::NegMulAdd(set(s0), in[2], in[4]), hn::NegMulAdd(set(s0), in[1], in[3]));
    out[5] = hn::MulAdd(set(s0 * s1), in[1], hn::NegMulAdd(set(s0 + s1), in[3], in[5]));
  }
}

/// out = B^T in for the tiles of F(M) that have E outputs in this direction.
template <int M, int E>
HWY_INLINE void tile_input_1d(const Vector (&in)[E + 2], Vector (&out)[E + 2]) {
  if constexpr (E == M) {
    input_1d(in, out);
  } else {
    edge_input_1d<M, E>(in, out);
  }
}

/// out = A^T in
HWY_INLINE void output_1d(const Vector (&in)[4], Vector (&out)[2]) {
  out[0] = hn::Add(in[0], hn::Add(in[1], in[2]));
  out[1] = hn::Add(in[3], hn::Sub(in[1], in[2]));
}

HWY_INLINE void output_1d(const Vector (&in)[6], Vector (&out)[4]) {
  const Tag d;
  const auto p1 = hn::Set(d, static_cast<float>(F4::p1)), p2 = hn::Set(d, static_cast<float>(F4::p2));
  const auto s2 = hn::Set(d, static_cast<float>(F4::s2));
  static_assert(
      F4::scales[0] == F4::s1 && F4::scales[1] == F4::p2 && F4::s1 * F4::s2 == 1.0 && F4::p1 == F4::s1 * F4::p2,
      "the rows rely on it");
  const auto sum1 = hn::Add(in[1], in[2]), difference1 = hn::Sub(in[1], in[2]);
  const auto sum2 = hn::Add(in[3], in[4]), difference2 = hn::Sub(in[3], in[4]);
  out[0] = hn::MulAdd(s2, sum1, hn::MulAdd(p1, sum2, in[0]));
  out[1] = hn::MulAdd(p2, difference1, difference2);
  out[2] = hn::MulAdd(p2, sum2, sum1);
  out[3] = hn::MulAdd(p1, difference1, hn::MulAdd(s2, difference2, in[5]));
}

HWY_INLINE void output_1d(const Vector (&in)[8], Vector (&out)[6]) {
  const Tag d;
  const auto set = [d](double v) HWY_ATTR { return hn::Set(d, static_cast<float>(v)); };
  const auto sum1 = hn::Add(in[1], in[2]), difference1 = hn::Sub(in[1], in[2]);
  const auto sum2 = hn::Add(in[3], in[4]), difference2 = hn::Sub(in[3], in[4]);
  const auto sum3 = hn::Add(in[5], in[6]), difference3 = hn::Sub(in[5], in[6]);
  const auto row = [&](double c1, double c2, double c3, auto x1, auto x2, auto x3)
                       HWY_ATTR { return hn::MulAdd(set(c1), x1, hn::MulAdd(set(c2), x2, hn::Mul(set(c3), x3))); };
  out[0] = hn::Add(hn::Add(in[0], sum1), hn::Add(sum2, sum3));
  out[1] = row(F6::p1, F6::p2, F6::p3, difference1, difference2, difference3);
  out[2] = row(F6::s1, F6::s2, F6::s3, sum1, sum2, sum3);
  out[3] = row(F6::s1 * F6::p1, F6::s2 * F6::p2, F6::s3 * F6::p3, difference1, difference2, difference3);
  out[4] = row(F6::s1 * F6::s1, F6::s2 * F6::s2, F6::s3 * F6::s3, sum1, sum2, sum3);
  out[5] = hn::Add(in[7], row(F6::s1 * F6::s1 * F6::p1, F6::s2 * F6::s2 * F6::p2, F6::s3 * F6::s3 * F6::p3, difference1,
                              difference2, difference3));
}

/// The same for F(E) on some of the points of F(M).
template <int M, int E>
HWY_INLINE void edge_output_1d(const Vector (&in)[E + 2], Vector (&out)[E]) {
  using Edge = EdgeOf<M, E>;
  const Tag d;
  const auto set = [d](double v) HWY_ATTR { return hn::Set(d, static_cast<float>(v)); };
  out[0] = in[0];
  HWY_UNROLL(4)
  for (int i = 1; i < E; ++i) out[i] = i + 1 < E ? hn::Zero(d) : in[E + 1];
  HWY_UNROLL(2)
  for (int i = 0; i < Edge::pairs; ++i) {
    const auto sum = hn::Add(in[1 + 2 * i], in[2 + 2 * i]), difference = hn::Sub(in[1 + 2 * i], in[2 + 2 * i]);
    double power = 1 / Edge::scales[i];
    HWY_UNROLL(4)
    for (int row = 0; row < E; ++row, power *= Edge::points[i]) {
      out[row] = hn::MulAdd(set(power), row % 2 == 0 ? sum : difference, out[row]);
    }
  }
}

/// out = A^T in for the tiles of F(M) that have E outputs in this direction.
template <int M, int E>
HWY_INLINE void tile_output_1d(const Vector (&in)[E + 2], Vector (&out)[E]) {
  if constexpr (E == M) {
    output_1d(in, out);
  } else {
    edge_output_1d<M, E>(in, out);
  }
}

}  // namespace rooftop::conv::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
