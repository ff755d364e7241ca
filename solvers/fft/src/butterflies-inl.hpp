// Transforms of 2, 3, 4, 5, 7, 8 and 16 complex values and of larger primes, each value a vector of as many lines'
// values.

#if defined(ROOFTOP_FFT_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_BUTTERFLIES_INL
#undef ROOFTOP_FFT_BUTTERFLIES_INL
#else
#define ROOFTOP_FFT_BUTTERFLIES_INL
#endif

#include <hwy/highway.h>

#include "job.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a real number is here. The kernels are compiled once in each precision, in a namespace of its own.
using Real = ROOFTOP_FFT_REAL;
using Tag = hn::CappedTag<Real, most_lanes<Real>>;
using Vector = hn::Vec<Tag>;
inline constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag()));

/// One value of `lanes` lines.
struct Value {
  Vector re, im;
};

HWY_INLINE Value plus(const Value& a, const Value& b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
HWY_INLINE Value minus(const Value& a, const Value& b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
/// a - b as a multiply-add, exact all the same: where additions and multiply-adds have pipes of their own, as on every
/// Zen, a butterfly is all additions, and the other pipes idle.
HWY_INLINE Value minus_by_multiply_add(const Value& a, const Value& b) {
#if HWY_NATIVE_FMA
  const Vector one = hn::Set(Tag(), 1);
  return {hn::NegMulAdd(b.re, one, a.re), hn::NegMulAdd(b.im, one, a.im)};
#else
  return minus(a, b);
#endif
}
/// a + i b and a - i b
HWY_INLINE Value plus_turned(const Value& a, const Value& b) { return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)}; }
HWY_INLINE Value minus_turned(const Value& a, const Value& b) { return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)}; }
HWY_INLINE Value product(const Value& a, Vector re, Vector im) {
  return {hn::NegMulAdd(a.im, im, hn::Mul(a.re, re)), hn::MulAdd(a.im, re, hn::Mul(a.re, im))};
}
HWY_INLINE Value product(const Value& a, Real re, Real im) {
  return product(a, hn::Set(Tag(), re), hn::Set(Tag(), im));
}
inline constexpr Real root_of_half = 0.70710678118654752440;
/// exp(-i pi k / 4) a for k = 1, 2 and 3
HWY_INLINE Value eighth(const Value& a) {
  const Vector s = hn::Set(Tag(), root_of_half);
  return {hn::Mul(s, hn::Add(a.re, a.im)), hn::Mul(s, hn::Sub(a.im, a.re))};
}
HWY_INLINE Value quarter(const Value& a) { return {a.im, hn::Neg(a.re)}; }
HWY_INLINE Value three_eighths(const Value& a) {
  const Vector s = hn::Set(Tag(), root_of_half), minus_s = hn::Set(Tag(), -root_of_half);
  return {hn::Mul(s, hn::Sub(a.im, a.re)), hn::Mul(minus_s, hn::Add(a.re, a.im))};
}

HWY_INLINE void butterfly4(Value& a, Value& b, Value& c, Value& d) {
  const Value sum = plus(a, c), odd_sum = plus(b, d);
  const Value difference = minus_by_multiply_add(a, c), odd_difference = minus_by_multiply_add(b, d);
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
  static constexpr Real cosine[] = {-0.5};
  static constexpr Real sine[] = {0.86602540378443864676};
};
template <>
struct OddRoots<5> {
  static constexpr Real cosine[] = {0.30901699437494742410, -0.80901699437494742410};
  static constexpr Real sine[] = {0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct OddRoots<7> {
  static constexpr Real cosine[] = {0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624};
  static constexpr Real sine[] = {0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};
};

/// Stores as value k, for each k below Radix, the sum over i of exp(-2 pi i k / Radix) load(i). The larger ones load
/// and store as late and as early as they can, since 16 vector registers hold half of what radix 16 works on. Whoever
/// stores to where is loaded from reads all values first: no value is stored before the last one is loaded.
template <int Radix, class Load, class Store>
HWY_INLINE void butterfly(const Load& load, const Store& store) {
  if constexpr (Radix == 2) {
    const Value a = load(0), b = load(1);
    store(0, plus(a, b)), store(1, minus(a, b));
  } else if constexpr (Radix == 4) {
    Value a = load(0), b = load(1), c = load(2), d = load(3);
    butterfly4(a, b, c, d);
    store(0, a), store(1, b), store(2, c), store(3, d);
  } else if constexpr (Radix == 8) {
    Value a = load(0), b = load(2), c = load(4), d = load(6);
    butterfly4(a, b, c, d);
    Value e = load(1), f = load(3), g = load(5), h = load(7);
    butterfly4(e, f, g, h);
    f = eighth(f), h = three_eighths(h);
    store(0, plus(a, e)), store(4, minus(a, e));
    store(1, plus(b, f)), store(5, minus(b, f));
    store(2, minus_turned(c, g)), store(6, plus_turned(c, g));
    store(3, plus(d, h)), store(7, minus(d, h));
  } else if constexpr (Radix == 16) {
    // 4 by 4: value 4 k + j after the first butterflies is turned by exp(-2 pi i j k / 16).
    constexpr Real cosine = 0.92387953251128675613, sine = 0.38268343236508977173;
    Value v[4][4];
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) {
      Value a = load(j), b = load(j + 4), c = load(j + 8), d = load(j + 12);
      butterfly4(a, b, c, d);
      if (j == 1) b = product(b, cosine, -sine), c = eighth(c), d = product(d, sine, -cosine);
      if (j == 2) b = eighth(b), c = quarter(c), d = three_eighths(d);
      if (j == 3) b = product(b, sine, -cosine), c = three_eighths(c), d = product(d, -cosine, sine);
      v[0][j] = a, v[1][j] = b, v[2][j] = c, v[3][j] = d;
    }
    HWY_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
      Value a = v[k][0], b = v[k][1], c = v[k][2], d = v[k][3];
      butterfly4(a, b, c, d);
      store(k, a), store(k + 4, b), store(k + 8, c), store(k + 12, d);
    }
  } else {
    // Values i and n - i meet the same cosines, and opposite sines.
    using Roots = OddRoots<Radix>;
    constexpr int half = (Radix - 1) / 2;
    const Value first = load(0);
    Value sum[half], difference[half];
    Value total = first;
    for (int i = 0; i < half; ++i) {
      const Value low = load(i + 1), high = load(Radix - 1 - i);
      sum[i] = plus(low, high);
      difference[i] = minus(low, high);
      total = plus(total, sum[i]);
    }
    store(0, total);
    for (int k = 1; k <= half; ++k) {
      Value even = first;
      Value odd{hn::Zero(Tag()), hn::Zero(Tag())};
      for (int i = 0; i < half; ++i) {
        const int turn = k * (i + 1) % Radix, near = turn <= half ? turn : Radix - turn;
        const Vector cosine = hn::Set(Tag(), Roots::cosine[near - 1]);
        const Vector sine = hn::Set(Tag(), turn <= half ? Roots::sine[near - 1] : -Roots::sine[near - 1]);
        even = {hn::MulAdd(sum[i].re, cosine, even.re), hn::MulAdd(sum[i].im, cosine, even.im)};
        odd = {hn::MulAdd(difference[i].re, sine, odd.re), hn::MulAdd(difference[i].im, sine, odd.im)};
      }
      store(k, minus_turned(even, odd));
      store(Radix - k, plus_turned(even, odd));
    }
  }
}

/// Results k to k + kCount - 1 of a prime radix, and those as far from its end.
template <int kCount, class Store>
HWY_INLINE void prime_results(int radix, int k, const Real* HWY_RESTRICT circle, const Value& first, const Value* sum,
                              const Value* difference, const Store& store) {
  Value even[kCount], odd[kCount];
  int turn[kCount];
  for (int c = 0; c < kCount; ++c) {
    even[c] = first, odd[c] = {hn::Zero(Tag()), hn::Zero(Tag())};
    turn[c] = 0;
  }
  for (int i = 0; i < (radix - 1) / 2; ++i) {
    for (int c = 0; c < kCount; ++c) {
      turn[c] += k + c;
      if (turn[c] >= radix) turn[c] -= radix;
      const Vector cosine = hn::Set(Tag(), circle[2 * turn[c]]), sine = hn::Set(Tag(), circle[2 * turn[c] + 1]);
      even[c] = {hn::MulAdd(sum[i].re, cosine, even[c].re), hn::MulAdd(sum[i].im, cosine, even[c].im)};
      odd[c] = {hn::MulAdd(difference[i].re, sine, odd[c].re), hn::MulAdd(difference[i].im, sine, odd[c].im)};
    }
  }
  for (int c = 0; c < kCount; ++c) {
    store(k + c, minus_turned(even[c], odd[c]));
    store(radix - k - c, plus_turned(even[c], odd[c]));
  }
}

/// The butterfly of an odd prime up to largest_prime, with its circle_of(). Like the others it loads all values before
/// it stores one.
template <class Load, class Store>
HWY_INLINE void prime_butterfly(int radix, const Real* circle, const Load& load, const Store& store) {
  constexpr int most = (largest_prime - 1) / 2;
  const int half = (radix - 1) / 2;
  const Value first = load(0);
  Value sum[most], difference[most];
  Value total = first;
  for (int i = 0; i < half; ++i) {
    const Value low = load(i + 1), high = load(radix - 1 - i);
    sum[i] = plus(low, high);
    difference[i] = minus(low, high);
    total = plus(total, sum[i]);
  }
  store(0, total);
  int k = 1;
  for (; k + 1 <= half; k += 2) prime_results<2>(radix, k, circle, first, sum, difference, store);
  if (k == half) prime_results<1>(radix, k, circle, first, sum, difference, store);
}

/// As a radix that is known when this is compiled: any prime that has no butterfly of its own.
inline constexpr int any_prime = 0;

/// The butterfly of a pass, whose radix is kRadix, or any_prime.
template <int kRadix, class Pass, class Load, class Store>
HWY_INLINE void butterfly_of(const Pass& pass, const Load& load, const Store& store) {
  if constexpr (kRadix == any_prime) {
    prime_butterfly(pass.radix, pass.circle.data(), load, store);
  } else {
    butterfly<kRadix>(load, store);
  }
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
