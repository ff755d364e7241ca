// Transforms of one line, whose neighbouring values fill vectors.

#if defined(ROOFTOP_FFT_WIDE_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_WIDE_LINE_INL
#undef ROOFTOP_FFT_WIDE_LINE_INL
#else
#define ROOFTOP_FFT_WIDE_LINE_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "lines-inl.hpp"
#include "transpose-inl.hpp"
#include "wide_line.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

using WideLine = internal::WideLine<Real>;

/// Groups from `first_group` to before `end_group`.
template <int kRadix, class From>
HWY_NOINLINE void pass_over_rows_of(const WideLine::Pass& pass, const Index first_group, const Index end_group,
                                    const From from, const Buffer to) {
  const Index rest = pass.rest, radix = kRadix == any_prime ? pass.radix : kRadix;
  const Real* HWY_RESTRICT roots = pass.roots.data()->values;
  for (Index row = 0; row < rest; ++row, roots += (radix - 1) * row_reals) {
    for (Index group = first_group; group < end_group; ++group) {
      const Index first = group * radix * rest + row;
      const auto load = [&](int i) HWY_ATTR { return from.load(first + i * rest); };
      const auto store = [&](int k, const Value& v) HWY_ATTR {
        if (k == 0) return to.store(first, v);
        const Real* const root = roots + (k - 1) * row_reals;
        to.store(first + k * rest, product(v, hn::Load(Tag(), root), hn::Load(Tag(), root + lanes)));
      };
      butterfly_of<kRadix>(pass, load, store);
    }
  }
}

template <class From>
HWY_INLINE void pass_over_rows(const WideLine::Pass& pass, Index first_group, Index end_group, const From& from,
                               const Buffer& to) {
  with_radix<Radices::all>(pass.radix, [&](auto radix) HWY_ATTR {
    pass_over_rows_of<decltype(radix)::value>(pass, first_group, end_group, from, to);
  });
}

/// The passes from number `next` on over groups of that one, from `first` to before `end`: one group after the other
/// while together they are larger than half of an L1 cache, then pass after pass.
HWY_NOINLINE void passes_over_groups(const WideLine& line, std::size_t next, Index first, Index end,
                                     const Buffer& buffer) {
  constexpr Index most_rows = 16384 / (row_reals * static_cast<Index>(sizeof(Real)));
  for (; next < line.passes.size(); ++next) {
    const WideLine::Pass& pass = line.passes[next];
    if ((end - first) * pass.radix * pass.rest > most_rows) {
      for (Index group = first; group < end; ++group) {
        pass_over_rows(pass, group, group + 1, buffer, buffer);
        passes_over_groups(line, next + 1, group * pass.radix, (group + 1) * pass.radix, buffer);
      }
      return;
    }
    pass_over_rows(pass, first, end, buffer, buffer);
    first *= pass.radix;
    end *= pass.radix;
  }
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

/// The transforms across lanes, of as many rows at a time, so that their results are neighbours again. `kFew`: of fewer
/// rows in all.
template <bool kBack, bool kScaled, bool kFew>
HWY_NOINLINE void pass_across_lanes(const WideLine& line, const Buffer from, const Real scale, Real* const out) {
  const Index count = line.n / lanes;
  const Vector times = hn::Set(Tag(), scale);
  const Index* HWY_RESTRICT rows = line.rows.data();
  for (Index next = 0; next < count; next += lanes, rows += lanes) {
    Vector re[lanes], im[lanes];
    HWY_UNROLL(16)
    for (int i = 0; i < lanes; ++i) {
      const Value v = from.load(rows[i]);
      re[i] = kScaled ? hn::Mul(v.re, times) : v.re, im[i] = kScaled ? hn::Mul(v.im, times) : v.im;
    }
    transpose_lanes(re);
    transpose_lanes(im);
    const auto load = [&](int i) HWY_ATTR {
      const Index lane = lane_of_value(i, lanes);
      return Value{re[lane], im[lane]};
    };
    if constexpr (kFew) {
      const FewColumns<kBack> here{out, 2 * count, count};
      butterfly<lanes>(load, [&](int k, const Value& v) HWY_ATTR { here.store(k, v); });
    } else {
      const Columns<kBack> here{out + 2 * first_of_group(next, count, lanes), 2 * count};
      butterfly<lanes>(load, [&](int k, const Value& v) HWY_ATTR { here.store(k, v); });
    }
  }
}

template <bool kBack>
HWY_INLINE void pass_across_lanes(const WideLine& line, const Buffer& from, const Real scale, Real* const out) {
  const bool few = line.n < Index{lanes} * lanes;
  if (scale != 1) {
    if (few) return pass_across_lanes<kBack, true, true>(line, from, scale, out);
    return pass_across_lanes<kBack, true, false>(line, from, scale, out);
  }
  if (few) return pass_across_lanes<kBack, false, true>(line, from, scale, out);
  pass_across_lanes<kBack, false, false>(line, from, scale, out);
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
    pass_over_rows(line.passes[0], 0, 1, Columns<kBack>{in, row_reals}, buffer);
    passes_over_groups(line, 1, 0, line.passes[0].radix, buffer);
    pass_across_lanes<kBack>(line, buffer, scale, out);
  }
#endif
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
