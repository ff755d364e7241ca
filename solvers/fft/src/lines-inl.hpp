// Transforms of `lanes` lines together: where their values come from, the passes, where they go.

#if defined(ROOFTOP_FFT_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_LINES_INL
#undef ROOFTOP_FFT_LINES_INL
#else
#define ROOFTOP_FFT_LINES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>

#include "butterflies-inl.hpp"
#include "line.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using Line = internal::Line<Real>;
using Pass = internal::Pass<Real>;

/// Real numbers that a row takes in a buffer: `lanes` real parts, then as many imaginary parts.
inline constexpr Index row_reals = 2 * lanes;

/// Other work that is done in parts between butterflies.
struct Aside {
  void (*call)(void* with);
  void* with;
};

/// Rows of a buffer of one's own, aligned.
struct Buffer {
  Real* first;
  const Aside* aside = nullptr;  ///< to be called after each butterfly that loads from the buffer or stores to it

  HWY_INLINE Value load(Index row) const {
    const Real* const at = first + row * row_reals;
    return {hn::Load(Tag(), at), hn::Load(Tag(), at + lanes)};
  }
  HWY_INLINE void store(Index row, const Value& v) const {
    Real* const at = first + row * row_reals;
    hn::Store(v.re, Tag(), at);
    hn::Store(v.im, Tag(), at + lanes);
  }
};

/// What two vectors hold at even places, in turn: a[0], b[0], a[2], b[2], … If each holds complex numbers, real parts.
HWY_INLINE Vector interleave_even(Vector a, [[maybe_unused]] Vector b) {
#if HWY_TARGET == HWY_SCALAR
  return a;
#else
  if constexpr (sizeof(Real) == 8) {
    return hn::InterleaveLower(Tag(), a, b);
  } else {
    return hn::OddEven(hn::DupEven(b), a);
  }
#endif
}
/// The same at odd places.
HWY_INLINE Vector interleave_odd([[maybe_unused]] Vector a, Vector b) {
#if HWY_TARGET == HWY_SCALAR
  return b;
#else
  if constexpr (sizeof(Real) == 8) {
    return hn::InterleaveUpper(Tag(), a, b);
  } else {
    return hn::OddEven(b, hn::DupOdd(a));
  }
#endif
}

/// Lines side by side: row i holds value i of each, one complex number beside the other. Which line is in which lane
/// does not matter, so parts are told apart within blocks of 128 bits. The transform back is the one forth with real
/// and imaginary parts exchanged.
template <bool kBack>
struct Columns {
  Real* first;
  Index stride;  ///< real numbers from row to row

  HWY_INLINE Value load(Index row) const {
    const Real* const at = first + row * stride;
    const Vector a = hn::LoadU(Tag(), at), b = hn::LoadU(Tag(), at + lanes);
    const Vector re = interleave_even(a, b), im = interleave_odd(a, b);
    return kBack ? Value{im, re} : Value{re, im};
  }
  HWY_INLINE void store(Index row, const Value& v) const {
    Real* const at = first + row * stride;
    const Vector re = kBack ? v.im : v.re, im = kBack ? v.re : v.im;
    hn::StoreU(interleave_even(re, im), Tag(), at);
    hn::StoreU(interleave_odd(re, im), Tag(), at + lanes);
  }
};

#if HWY_TARGET != HWY_SCALAR
/// Fewer columns than a vector has lanes; see Columns. The other lanes load zeros and are not stored.
template <bool kBack>
struct FewColumns {
  Real* first;
  Index stride;
  Index columns;

  HWY_INLINE Value load(Index row) const {
    const Real* const at = first + row * stride;
    const Vector a = load_some(at, 2 * columns);
    const Vector b = 2 * columns > lanes ? load_some(at + lanes, 2 * columns - lanes) : hn::Zero(Tag());
    const Vector re = interleave_even(a, b), im = interleave_odd(a, b);
    return kBack ? Value{im, re} : Value{re, im};
  }
  HWY_INLINE void store(Index row, const Value& v) const {
    Real* const at = first + row * stride;
    const Vector re = kBack ? v.im : v.re, im = kBack ? v.re : v.im;
    store_some(interleave_even(re, im), at, 2 * columns);
    if (2 * columns > lanes) store_some(interleave_odd(re, im), at + lanes, 2 * columns - lanes);
  }

 private:
  static HWY_INLINE Vector load_some(const Real* from, Index count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    return hn::MaskedLoad(hn::FirstN(Tag(), static_cast<std::size_t>(count)), Tag(), from);
#else  // which reads whole vectors there
    HWY_ALIGN Real all[lanes] = {};
    for (Index i = 0; i < count && i < lanes; ++i) all[i] = from[i];
    return hn::Load(Tag(), all);
#endif
  }
  static HWY_INLINE void store_some(Vector v, Real* to, Index count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    hn::BlendedStore(v, hn::FirstN(Tag(), static_cast<std::size_t>(count)), Tag(), to);
#else  // which reads and writes whole vectors there
    HWY_ALIGN Real all[lanes];
    hn::Store(v, Tag(), all);
    for (Index i = 0; i < count && i < lanes; ++i) to[i] = all[i];
#endif
  }
};

/// One complex number from each of every second line: lines 0, 2, 4, …
template <class D>
HWY_INLINE hn::Vec<D> load_across(D d, const Real* const* lines, Index at) {
  if constexpr (hn::MaxLanes(D()) <= 2) {
    return hn::LoadU(d, lines[0] + at);
  } else {
    constexpr Index half_lanes = hn::MaxLanes(D()) / 2;
    const hn::Half<D> half;
    return hn::Combine(d, load_across(half, lines + half_lanes, at), load_across(half, lines, at));
  }
}
template <class D>
HWY_INLINE void store_across(D d, hn::Vec<D> v, Real* const* lines, Index at) {
  if constexpr (hn::MaxLanes(D()) <= 2) {
    hn::StoreU(v, d, lines[0] + at);
  } else {
    constexpr Index half_lanes = hn::MaxLanes(D()) / 2;
    const hn::Half<D> half;
    store_across(half, hn::LowerHalf(half, v), lines, at);
    store_across(half, hn::UpperHalf(half, v), lines + half_lanes, at);
  }
}
#endif

/// Lines that lie one behind the other, each contiguous. Lane l is line l; where lines are fewer, the last one again.
template <bool kBack>
struct Rows {
  Real* line[lanes];

  HWY_INLINE Value load(Index i) const {
#if HWY_TARGET == HWY_SCALAR
    const Vector re = hn::Load(Tag(), line[0] + 2 * i), im = hn::Load(Tag(), line[0] + 2 * i + 1);
#else
    const Vector even = load_across(Tag(), line, 2 * i), odd = load_across(Tag(), line + 1, 2 * i);
    const Vector re = interleave_even(even, odd), im = interleave_odd(even, odd);
#endif
    return kBack ? Value{im, re} : Value{re, im};
  }
  HWY_INLINE void store(Index i, const Value& v) const {
    const Vector re = kBack ? v.im : v.re, im = kBack ? v.re : v.im;
#if HWY_TARGET == HWY_SCALAR
    hn::Store(re, Tag(), line[0] + 2 * i);
    hn::Store(im, Tag(), line[0] + 2 * i + 1);
#else
    store_across(Tag(), interleave_even(re, im), line, 2 * i);
    store_across(Tag(), interleave_odd(re, im), line + 1, 2 * i);
#endif
  }
};

template <class From, class To>
HWY_INLINE void turn_aside([[maybe_unused]] const From& from, [[maybe_unused]] const To& to) {
  const Aside* aside = nullptr;
  if constexpr (std::is_same_v<From, Buffer>) aside = from.aside;
  if constexpr (std::is_same_v<To, Buffer>) aside = to.aside;
  if (aside != nullptr) aside->call(aside->with);
}

/// A pass that is not the last: butterflies, and products with roots.
template <int kRadix, class From, class To>
HWY_NOINLINE void pass_of(const Pass& pass, const From from, const To to) {
  const Real* HWY_RESTRICT roots = pass.roots.data();
  const Index rest = pass.rest, groups = pass.groups, radix = kRadix == any_prime ? pass.radix : kRadix;
  for (Index row = 0; row < rest; ++row, roots += 2 * (radix - 1)) {
    for (Index group = 0; group < groups; ++group) {
      const Index first = group * radix * rest + row;
      const auto load = [&](int i) HWY_ATTR { return from.load(first + i * rest); };
      const auto store = [&](int k, const Value& v) HWY_ATTR {
        to.store(first + k * rest, k == 0 ? v : product(v, roots[2 * k - 2], roots[2 * k - 1]));
      };
      butterfly_of<kRadix>(pass, load, store);
      turn_aside(from, to);
    }
  }
}

/// The last pass: butterflies of neighbouring rows, whose results go to their places.
template <int kRadix, class From, class To>
HWY_NOINLINE void last_pass_of(const Line& line, const From from, const To to) {
  const Pass& pass = line.passes.back();
  const Index radix = kRadix == any_prime ? pass.radix : kRadix, groups = line.length / radix;
  const Index* HWY_RESTRICT places = line.places.data();
  for (Index group = 0; group < groups; ++group) {
    const Index place = places[group];
    const auto load = [&](int i) HWY_ATTR { return from.load(group * radix + i); };
    const auto store = [&](int k, const Value& v) HWY_ATTR { to.store(place + k * groups, v); };
    butterfly_of<kRadix>(pass, load, store);
    turn_aside(from, to);
  }
}

/// Which radices passes may have: chirps are convolved in lengths without large primes.
enum class Radices { all, small };

/// Calls with the radix as a constant, any_prime where there is no butterfly for it alone.
template <Radices kRadices, class Call>
HWY_INLINE void with_radix(int radix, const Call& call) {
  switch (radix) {
    case 2:
      return call(std::integral_constant<int, 2>());
    case 3:
      return call(std::integral_constant<int, 3>());
    case 4:
      return call(std::integral_constant<int, 4>());
    case 5:
      return call(std::integral_constant<int, 5>());
    case 7:
      return call(std::integral_constant<int, 7>());
    case 8:
      return call(std::integral_constant<int, 8>());
    case 16:
      return call(std::integral_constant<int, 16>());
    default:
      if constexpr (kRadices == Radices::all) call(std::integral_constant<int, any_prime>());
  }
}

/// The passes of `lanes` lines, two or more. All of `from` is read before anything is written to `to`; the buffer holds
/// line.length rows.
template <Radices kRadices, class From, class To>
HWY_INLINE void run_passes(const Line& line, const From& from, const Buffer& buffer, const To& to) {
  const std::size_t passes = line.passes.size();
  with_radix<kRadices>(line.passes[0].radix,
                       [&](auto radix) HWY_ATTR { pass_of<decltype(radix)::value>(line.passes[0], from, buffer); });
  for (std::size_t i = 1; i + 1 < passes; ++i) {
    with_radix<kRadices>(line.passes[i].radix,
                         [&](auto radix) HWY_ATTR { pass_of<decltype(radix)::value>(line.passes[i], buffer, buffer); });
  }
  with_radix<kRadices>(line.passes.back().radix,
                       [&](auto radix) HWY_ATTR { last_pass_of<decltype(radix)::value>(line, buffer, to); });
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
