// Between the modes of n real values and those of the n / 2 complex numbers that neighbouring values make.

#if defined(ROOFTOP_FFT_REAL_MODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_REAL_MODES_INL
#undef ROOFTOP_FFT_REAL_MODES_INL
#else
#define ROOFTOP_FFT_REAL_MODES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "chirp-inl.hpp"
#include "lines-inl.hpp"
#include "tiles-inl.hpp"
#include "transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

// Even and odd values have the modes E and O. The complex modes are Z[k] = E[k] + i O[k], so with m = n / 2 and
// w = exp(-2 pi i / n)
//   X[k] = E[k] + w^k O[k] = (Z[k] + conj(Z[m - k])) / 2 - i w^k (Z[k] - conj(Z[m - k])) / 2,
//   X[m - k] = conj(E[k] - w^k O[k]).
// Back, the same formula with conj(w) and without the halves gives n / m times what makes the values.

#if HWY_TARGET != HWY_SCALAR
/// The complex numbers of a vector in reverse order.
HWY_INLINE Vector reverse_complexes(Vector v) {
  if constexpr (sizeof(Real) == 8) {
    return hn::ReverseBlocks(Tag(), v);
  } else {
    const hn::Repartition<double, Tag> pairs;
    return hn::BitCast(Tag(), hn::Reverse(pairs, hn::BitCast(pairs, v)));
  }
}
/// a at even places, b at odd ones.
HWY_INLINE Vector even_odd(Vector a, Vector b) { return hn::OddEven(b, a); }

/// Modes k, k + 1, … of a vector, and m - k, m - k - 1, …
template <bool kBack>
HWY_INLINE void combine_vector(Index m, Index k, const Real* HWY_RESTRICT factors, const Real* in, Real* out) {
  const Tag d;
  constexpr Index count = lanes / 2;
  const Index mirrored = 2 * (m - k - count + 1);
  const Vector low = hn::LoadU(d, in + 2 * k), high = reverse_complexes(hn::LoadU(d, in + mirrored));
  const Vector plus = hn::Add(low, high), minus = hn::Sub(low, high);
  Vector sum = even_odd(plus, minus), difference = even_odd(minus, plus);
  if constexpr (kBack) {
    difference = hn::Add(difference, difference);
  } else {
    sum = hn::Mul(sum, hn::Set(d, Real{0.5}));
  }
  const Vector factor = hn::LoadU(d, factors + 2 * k);
  const Vector re = hn::DupEven(factor), im = hn::DupOdd(factor);
  const Vector by_re = hn::Mul(difference, re), swapped = hn::Reverse2(d, difference);
  const Vector added = hn::MulAdd(swapped, im, by_re), subtracted = hn::NegMulAdd(swapped, im, by_re);
  const Vector turned = kBack ? even_odd(added, subtracted) : even_odd(subtracted, added);
  hn::StoreU(hn::Add(sum, turned), d, out + 2 * k);
  const Vector other = hn::Sub(sum, turned);
  hn::StoreU(reverse_complexes(even_odd(other, hn::Neg(other))), d, out + mirrored);
}
#endif

template <bool kBack>
HWY_INLINE void combine_one(Index m, Index k, const Real* factors, const Real* in, Real* out) {
  if (k == 0) {
    const Real a = in[0], b = kBack ? in[2 * m] : in[1];
    out[0] = a + b;
    if constexpr (kBack) {
      out[1] = a - b;
    } else {
      out[1] = 0;
      out[2 * m] = a - b;
      out[2 * m + 1] = 0;
    }
    return;
  }
  const Real *const low = in + 2 * k, *const high = in + 2 * (m - k);
  constexpr Real half = kBack ? 1 : 0.5, twice = kBack ? 2 : 1;
  const Real sum_re = half * (low[0] + high[0]), sum_im = half * (low[1] - high[1]);
  const Real re = twice * (low[0] - high[0]), im = twice * (low[1] + high[1]);
  const Real factor_re = factors[2 * k], factor_im = kBack ? -factors[2 * k + 1] : factors[2 * k + 1];
  const Real turned_re = re * factor_re - im * factor_im, turned_im = im * factor_re + re * factor_im;
  out[2 * k] = sum_re + turned_re;
  out[2 * k + 1] = sum_im + turned_im;
  out[2 * (m - k)] = sum_re - turned_re;
  out[2 * (m - k) + 1] = turned_im - sum_im;
}

/// Modes k and m - k for k from `first` to before `last`, at most m / 2 + 1, from one array to the same or another.
/// Forth, `in` holds m complex numbers and `out` gets m + 1; back it is the other way round.
template <bool kBack>
HWY_INLINE void combine_modes(Index m, const Real* factors, const Real* in, Real* out, Index first, Index last) {
  Index k = first;
  if (k == 0 && k < last) combine_one<kBack>(m, k++, factors, in, out);
#if HWY_TARGET != HWY_SCALAR
  constexpr Index count = lanes / 2;
  // The last one may hold mode m / 2, which is its own mirror image, twice.
  for (; k + count <= last && 2 * (k + count - 1) <= m; k += count) combine_vector<kBack>(m, k, factors, in, out);
#endif
  for (; k < last; ++k) combine_one<kBack>(m, k, factors, in, out);
}

/// The same of `lanes` lines together, whose values are the rows of a buffer, and scaled: of m rows there become m + 1.
/// Back there remain m, with real and imaginary parts exchanged.
template <bool kBack>
HWY_INLINE void combine_rows(Index m, const Real* HWY_RESTRICT factors, Real scale, const Buffer& rows) {
  const Tag d;
  const Vector half = hn::Set(d, kBack ? scale : scale / 2);
  const Vector whole = hn::Set(d, scale), zero = hn::Zero(d);
  const Real twice = kBack ? 2 * scale : scale;
  const Value first = rows.load(0);
  if constexpr (kBack) {
    const Value last = rows.load(m);
    rows.store(0, {hn::Mul(whole, hn::Sub(first.re, last.re)), hn::Mul(whole, hn::Add(first.re, last.re))});
  } else {
    rows.store(0, {hn::Mul(whole, hn::Add(first.re, first.im)), zero});
    rows.store(m, {hn::Mul(whole, hn::Sub(first.re, first.im)), zero});
  }
  for (Index k = 1; 2 * k <= m; ++k) {
    const Value low = rows.load(k), high = rows.load(m - k);
    const Vector sum_re = hn::Mul(half, hn::Add(low.re, high.re)), sum_im = hn::Mul(half, hn::Sub(low.im, high.im));
    const Value difference{hn::Sub(low.re, high.re), hn::Add(low.im, high.im)};
    const Real factor_im = kBack ? -factors[2 * k + 1] : factors[2 * k + 1];
    const Value turned = product(difference, twice * factors[2 * k], twice * factor_im);
    const Value a{hn::Add(sum_re, turned.re), hn::Add(sum_im, turned.im)};
    const Value b{hn::Sub(sum_re, turned.re), hn::Sub(turned.im, sum_im)};
    rows.store(k, kBack ? Value{a.im, a.re} : a);
    rows.store(m - k, kBack ? Value{b.im, b.re} : b);
  }
}

/// Transforms `count` lines of 2 m real values to m + 1 modes each, or back, several together. Lines lie one behind the
/// other.
template <bool kBack>
HWY_INLINE void real_lines(const Job& job, const Real* factors, Real* in, Real* out, Index count,
                           const Scratch& scratch) {
  const Index m = job.nx, in_row = kBack ? 2 * m + 2 : 2 * m, out_row = kBack ? 2 * m : 2 * m + 2;
  const Buffer buffer{scratch.buffer}, results{scratch.buffer + (job.x.convolved() ? 0 : m + 1) * row_reals};
  for (Index y = 0; y < count; y += lanes) {
    const Index here = std::min<Index>(lanes, count - y);
    Rows<false> source;
    Rows<kBack> target;
    for (Index l = 0; l < lanes; ++l) {
      source.line[l] = in + in_row * (y + std::min(l, here - 1));
      target.line[l] = out + out_row * (y + std::min(l, here - 1));
    }
    gather_lines(source, kBack ? m + 1 : m, buffer);
    if constexpr (kBack) combine_rows<true>(m, factors, job.backward_scale, buffer);
    transform_lines(job.x, buffer, buffer, results);
    if constexpr (!kBack) combine_rows<false>(m, factors, job.forward_scale, results);
    scatter_lines(results, kBack ? m : m + 1, target);
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
