// Transforms of 2, 3, 4, 5, 7, 8 and 16 complex values, each value a vector of as many lines' values.

#if defined(ROOFTOP_FFT_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_BUTTERFLIES_INL
#undef ROOFTOP_FFT_BUTTERFLIES_INL
#else
#define ROOFTOP_FFT_BUTTERFLIES_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
inline constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag()));

/// One value of `lanes` lines.
struct Value {
  Vector re, im;
};

HWY_INLINE Value plus(const Value& a, const Value& b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
HWY_INLINE Value minus(const Value& a, const Value& b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
/// a + i b and a - i b
HWY_INLINE Value plus_turned(const Value& a, const Value& b) { return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)}; }
HWY_INLINE Value minus_turned(const Value& a, const Value& b) { return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)}; }
HWY_INLINE Value product(const Value& a, Vector re, Vector im) {
  return {hn::NegMulAdd(a.im, im, hn::Mul(a.re, re)), hn::MulAdd(a.im, re, hn::Mul(a.re, im))};
}
HWY_INLINE Value product(const Value& a, double re, double im) {
  return product(a, hn::Set(Tag(), re), hn::Set(Tag(), im));
}
/// exp(-i pi k / 4) a for k = 1, 2 and 3
HWY_INLINE Value eighth(const Value& a) {
  const Vector s = hn::Set(Tag(), 0.70710678118654752440);
  return {hn::Mul(s, hn::Add(a.re, a.im)), hn::Mul(s, hn::Sub(a.im, a.re))};
}
HWY_INLINE Value quarter(const Value& a) { return {a.im, hn::Neg(a.re)}; }
HWY_INLINE Value three_eighths(const Value& a) {
  const Vector s = hn::Set(Tag(), 0.70710678118654752440), minus_s = hn::Set(Tag(), -0.70710678118654752440);
  return {hn::Mul(s, hn::Sub(a.im, a.re)), hn::Mul(minus_s, hn::Add(a.re, a.im))};
}

HWY_INLINE void butterfly4(Value& a, Value& b, Value& c, Value& d) {
  const Value sum = plus(a, c), difference = minus(a, c), odd_sum = plus(b, d), odd_difference = minus(b, d);
  a = plus(sum, odd_sum);
  c = minus(sum, odd_sum);
  b = minus_turned(difference, odd_difference);
  d = plus_turned(difference, odd_difference);
}

/// cos(2 pi k / n) and sin(2 pi k / n) for the odd radices, k from 1 to (n - 1) / 2.
template <int Radix>
struct OddRoots;
template <>
struct OddRoots<3> {
  static constexpr double cosine[] = {-0.5};
  static constexpr double sine[] = {0.86602540378443864676};
};
template <>
struct OddRoots<5> {
  static constexpr double cosine[] = {0.30901699437494742410, -0.80901699437494742410};
  static constexpr double sine[] = {0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct OddRoots<7> {
  static constexpr double cosine[] = {0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624};
  static constexpr double sine[] = {0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};
};

/// In place: v[k] becomes the sum over i of exp(-2 pi i k / Radix) v[i].
template <int Radix>
HWY_INLINE void butterfly(Value (&v)[Radix]) {
  if constexpr (Radix == 2) {
    const Value a = v[0];
    v[0] = plus(a, v[1]);
    v[1] = minus(a, v[1]);
  } else if constexpr (Radix == 4) {
    butterfly4(v[0], v[1], v[2], v[3]);
  } else if constexpr (Radix == 8) {
    butterfly4(v[0], v[2], v[4], v[6]);
    butterfly4(v[1], v[3], v[5], v[7]);
    const Value even[] = {v[0], v[2], v[4], v[6]};
    const Value odd[] = {v[1], eighth(v[3]), v[5], three_eighths(v[7])};
    v[0] = plus(even[0], odd[0]), v[4] = minus(even[0], odd[0]);
    v[1] = plus(even[1], odd[1]), v[5] = minus(even[1], odd[1]);
    v[2] = minus_turned(even[2], odd[2]), v[6] = plus_turned(even[2], odd[2]);
    v[3] = plus(even[3], odd[3]), v[7] = minus(even[3], odd[3]);
  } else if constexpr (Radix == 16) {
    // 4 by 4: value 4 k + j after the first butterflies is turned by exp(-2 pi i j k / 16).
    constexpr double c = 0.92387953251128675613, s = 0.38268343236508977173;
    for (int j = 0; j < 4; ++j) butterfly4(v[j], v[j + 4], v[j + 8], v[j + 12]);
    v[5] = product(v[5], c, -s), v[6] = eighth(v[6]), v[7] = product(v[7], s, -c);
    v[9] = eighth(v[9]), v[10] = quarter(v[10]), v[11] = three_eighths(v[11]);
    v[13] = product(v[13], s, -c), v[14] = three_eighths(v[14]), v[15] = product(v[15], -c, s);
    for (int k = 0; k < 16; k += 4) butterfly4(v[k], v[k + 1], v[k + 2], v[k + 3]);
    // v[4 k1 + k2] is result k1 + 4 k2.
    const auto exchange = [&v](int a, int b) HWY_ATTR {
      const Value kept = v[a];
      v[a] = v[b];
      v[b] = kept;
    };
    exchange(1, 4), exchange(2, 8), exchange(3, 12), exchange(6, 9), exchange(7, 13), exchange(11, 14);
  } else {
    // Values i and n - i meet the same cosines, and opposite sines.
    using Roots = OddRoots<Radix>;
    constexpr int half = (Radix - 1) / 2;
    Value sum[half], difference[half];
    Value total = v[0];
    for (int i = 0; i < half; ++i) {
      sum[i] = plus(v[i + 1], v[Radix - 1 - i]);
      difference[i] = minus(v[i + 1], v[Radix - 1 - i]);
      total = plus(total, sum[i]);
    }
    for (int k = 1; k <= half; ++k) {
      Value even = v[0];
      Value odd{hn::Zero(Tag()), hn::Zero(Tag())};
      for (int i = 0; i < half; ++i) {
        const int turn = k * (i + 1) % Radix, near = turn <= half ? turn : Radix - turn;
        const Vector cosine = hn::Set(Tag(), Roots::cosine[near - 1]);
        const Vector sine = hn::Set(Tag(), turn <= half ? Roots::sine[near - 1] : -Roots::sine[near - 1]);
        even = {hn::MulAdd(sum[i].re, cosine, even.re), hn::MulAdd(sum[i].im, cosine, even.im)};
        odd = {hn::MulAdd(difference[i].re, sine, odd.re), hn::MulAdd(difference[i].im, sine, odd.im)};
      }
      // The results go where nothing is read any more: sums and differences were taken before.
      v[k] = minus_turned(even, odd);
      v[Radix - k] = plus_turned(even, odd);
    }
    v[0] = total;
  }
}

}  // namespace rooftop::fft::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
