// Transforms of one line, whose neighbouring values fill vectors.

#if defined(ROOFTOP_FFT_WIDE_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_WIDE_LINE_INL
#undef ROOFTOP_FFT_WIDE_LINE_INL
#else
#define ROOFTOP_FFT_WIDE_LINE_INL
#endif

#include <hwy/highway.h>

#include "lines-inl.hpp"
#include "transpose-inl.hpp"
#include "wide_line.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using WideLine = internal::WideLine<Real>;

template <int Radix, class From>
HWY_NOINLINE void pass_over_rows_of(const WideLine::Pass& pass, const From from, const Buffer to) {
  const Index rest = pass.rest, groups = pass.groups;
  const Real* HWY_RESTRICT roots = pass.roots.data()->values;
  for (Index row = 0; row < rest; ++row, roots += (Radix - 1) * row_reals) {
    for (Index group = 0; group < groups; ++group) {
      const Index first = group * Radix * rest + row;
      const auto load = [&](int i) HWY_ATTR { return from.load(first + i * rest); };
      const auto store = [&](int k, const Value& v) HWY_ATTR {
        if (k == 0) return to.store(first, v);
        const Real* const root = roots + (k - 1) * row_reals;
        to.store(first + k * rest, product(v, hn::Load(Tag(), root), hn::Load(Tag(), root + lanes)));
      };
      butterfly<Radix>(load, store);
    }
  }
}

template <class From>
HWY_INLINE void pass_over_rows(const WideLine::Pass& pass, const From& from, const Buffer& to) {
  with_radix(pass.radix, [&](auto radix) HWY_ATTR { pass_over_rows_of<decltype(radix)::value>(pass, from, to); });
}

#if HWY_TARGET != HWY_SCALAR
/// Transposes as many vectors as they have lanes: value j of vector i becomes value i of vector j.
HWY_INLINE void transpose_lanes(Vector (&v)[lanes]) {
  constexpr int pairs = lanes / 2;
  Vector even[pairs], odd[pairs];
  HWY_UNROLL(8)
  for (int i = 0; i < pairs; ++i) {
    even[i] = interleave_even(v[2 * i], v[2 * i + 1]);
    odd[i] = interleave_odd(v[2 * i], v[2 * i + 1]);
  }
  transpose_complexes(even);
  transpose_complexes(odd);
  HWY_UNROLL(8)
  for (int i = 0; i < pairs; ++i) v[2 * i] = even[i], v[2 * i + 1] = odd[i];
}

/// The transforms across lanes, of as many rows at a time, so that their results are neighbours again.
template <bool kBack, bool kScaled>
HWY_NOINLINE void pass_across_lanes(const WideLine& line, const Buffer from, const Real scale, Real* const out) {
  const Index count = line.n / lanes;
  const Vector times = hn::Set(Tag(), scale);
  for (Index first = 0; first < count; first += lanes) {
    const Index* HWY_RESTRICT rows = line.rows.data() + first;
    Vector re[lanes], im[lanes];
    HWY_UNROLL(16)
    for (int i = 0; i < lanes; ++i) {
      const Value v = from.load(rows[i]);
      re[i] = kScaled ? hn::Mul(v.re, times) : v.re, im[i] = kScaled ? hn::Mul(v.im, times) : v.im;
    }
    transpose_lanes(re);
    transpose_lanes(im);
    const Columns<kBack> here{out + 2 * first, 2 * count};
    const auto load = [&](int i) HWY_ATTR {
      const Index lane = lane_of_value(i, lanes);
      return Value{re[lane], im[lane]};
    };
    const auto store = [&](int k, const Value& v) HWY_ATTR { here.store(k, v); };
    butterfly<lanes>(load, store);
  }
}
#endif

/// Transforms a line from `in` to `out`, the same or another; the buffer holds its rows. Nothing where vectors have one
/// lane.
template <bool kBack>
HWY_INLINE void transform_wide_line([[maybe_unused]] const WideLine& line, [[maybe_unused]] Real* in,
                                    [[maybe_unused]] Real scale, [[maybe_unused]] const Buffer& buffer,
                                    [[maybe_unused]] Real* out) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (lanes >= 4) {
    pass_over_rows(line.passes[0], Columns<kBack>{in, row_reals}, buffer);
    for (std::size_t i = 1; i < line.passes.size(); ++i) pass_over_rows(line.passes[i], buffer, buffer);
    if (scale == 1) {
      pass_across_lanes<kBack, false>(line, buffer, scale, out);
    } else {
      pass_across_lanes<kBack, true>(line, buffer, scale, out);
    }
  }
#endif
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
