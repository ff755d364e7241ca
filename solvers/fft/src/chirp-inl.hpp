// Lines of any length. How the passes alone would not do is told in chirp.hpp; its products are part of their loads and
// stores.

#if defined(ROOFTOP_FFT_CHIRP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_CHIRP_INL
#undef ROOFTOP_FFT_CHIRP_INL
#else
#define ROOFTOP_FFT_CHIRP_INL
#endif

#include <hwy/highway.h>

#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

/// A line times the chirp, and zeros behind it.
template <class From>
struct ChirpedLine {
  const From& from;
  const Line& line;

  HWY_INLINE Value load(Index row) const {
    if (row >= line.n) return {hn::Zero(Tag()), hn::Zero(Tag())};
    return product(from.load(row), line.chirp[2 * row], line.chirp[2 * row + 1]);
  }
};

/// Takes the transformed line times the chirp's, its parts exchanged, so that what follows is a transform back.
struct Convolution {
  Buffer rows;
  const Real* spectrum;

  HWY_INLINE void store(Index row, const Value& v) const {
    const Value both = product(v, spectrum[2 * row], spectrum[2 * row + 1]);
    rows.store(row, {both.im, both.re});
  }
};

/// Takes what came back, its parts exchanged, times the chirp; what lies behind the line is left out.
template <class To>
struct DechirpedLine {
  const To& to;
  const Line& line;

  HWY_INLINE void store(Index row, const Value& v) const {
    if (row < line.n) to.store(row, product({v.im, v.re}, line.chirp[2 * row], line.chirp[2 * row + 1]));
  }
};

/// The shortest convolution, of 37 values, takes two passes.
template <class From, class To>
HWY_NOINLINE void convolve_lines(const Line& line, const From& from, const Buffer& buffer, const To& to) {
  const Buffer convolved{buffer.first + line.length * row_reals};
  run_passes<Radices::small>(line, ChirpedLine<From>{from, line}, buffer, Convolution{convolved, line.spectrum.data()});
  run_passes<Radices::small>(line, convolved, convolved, DechirpedLine<To>{to, line});
}

/// Transforms `lanes` lines by passes alone, one or more. The buffer is as run_passes() has it.
template <Radices kRadices, class From, class To>
HWY_INLINE void transform_by_passes(const Line& line, const From& from, const Buffer& buffer, const To& to) {
  if (line.passes.size() > 1) return run_passes<kRadices>(line, from, buffer, to);
  with_radix<kRadices>(line.passes[0].radix,
                       [&](auto radix) HWY_ATTR { last_pass_of<decltype(radix)::value>(line, from, to); });
}

/// Transforms `lanes` lines. All of `from` is read before anything is written to `to`; the buffer holds
/// line.buffer_rows() rows, the first of which `from` may be, and, where the line is convolved, `to` as well.
template <class From, class To>
HWY_INLINE void transform_lines(const Line& line, const From& from, const Buffer& buffer, const To& to) {
  if (line.convolved()) return convolve_lines(line, from, buffer, to);
  if (line.passes.empty()) return to.store(0, from.load(0));
  transform_by_passes<Radices::all>(line, from, buffer, to);
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
