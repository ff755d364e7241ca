// Between lines that lie one behind the other and rows of a buffer, which hold one value of each.

#if defined(ROOFTOP_FFT_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_TRANSPOSE_INL
#undef ROOFTOP_FFT_TRANSPOSE_INL
#else
#define ROOFTOP_FFT_TRANSPOSE_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE {

inline constexpr int complexes = lanes / 2;               ///< complex numbers in a vector
inline constexpr int blocks = lanes * sizeof(Real) / 16;  ///< of 128 bits in a vector

#if HWY_TARGET != HWY_SCALAR
/// Transposes as many vectors as they have blocks, in place: block j of vector i becomes block i of
/// vector j.
HWY_INLINE void transpose_blocks(Vector (&v)[blocks]) {
  if constexpr (blocks == 2) {
    const Tag d;
    const Vector first = v[0];
    v[0] = hn::ConcatLowerLower(d, v[1], first);
    v[1] = hn::ConcatUpperUpper(d, v[1], first);
  } else if constexpr (blocks == 4) {
    const Tag d;
    HWY_UNROLL(2)
    for (int i = 0; i < 4; i += 2) {
      const Vector even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v[i + 1]), v[i]);
      const Vector odd = hn::OddEvenBlocks(v[i + 1], hn::SwapAdjacentBlocks(v[i]));
      v[i] = even, v[i + 1] = odd;
    }
    HWY_UNROLL(2)
    for (int i = 0; i < 2; ++i) {
      const Vector first = v[i];
      v[i] = hn::ConcatLowerLower(d, v[i + 2], first);
      v[i + 2] = hn::ConcatUpperUpper(d, v[i + 2], first);
    }
  }
}

/// Transposes as many vectors as they have complex numbers, in place.
template <std::size_t count>
HWY_INLINE void transpose_complexes(Vector (&v)[count]) {
  if constexpr (count == blocks) {
    transpose_blocks(v);
  } else {
    // Two in each block: the vectors of a pair exchange them first.
    const hn::Repartition<double, Tag> pairs;
    Vector even[count / 2], odd[count / 2];
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < count / 2; ++i) {
      const auto first = hn::BitCast(pairs, v[2 * i]), second = hn::BitCast(pairs, v[2 * i + 1]);
      even[i] = hn::BitCast(Tag(), hn::InterleaveLower(pairs, first, second));
      odd[i] = hn::BitCast(Tag(), hn::InterleaveUpper(pairs, first, second));
    }
    transpose_blocks(even);
    transpose_blocks(odd);
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < count / 2; ++i) v[2 * i] = even[i], v[2 * i + 1] = odd[i];
  }
}
#endif

/// Values of `lanes` lines into a buffer, each cache line of a line once: lines are often a multiple of 4 KiB apart,
/// and of what is left for later too much would meet in one set of the L1 cache.
template <bool kBack>
HWY_INLINE void gather_lines(const Rows<kBack>& lines, Index n, const Buffer& buffer) {
  Index i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Tag d;
  for (; i + complexes <= n; i += complexes) {
    Vector even[complexes], odd[complexes];
    HWY_UNROLL(8)
    for (int l = 0; l < complexes; ++l) {
      even[l] = hn::LoadU(d, lines.line[2 * l] + 2 * i);
      odd[l] = hn::LoadU(d, lines.line[2 * l + 1] + 2 * i);
    }
    transpose_complexes(even);
    transpose_complexes(odd);
    HWY_UNROLL(8)
    for (int j = 0; j < complexes; ++j) {
      const Vector re = interleave_even(even[j], odd[j]), im = interleave_odd(even[j], odd[j]);
      buffer.store(i + j, kBack ? Value{im, re} : Value{re, im});
    }
  }
#endif
  for (; i < n; ++i) buffer.store(i, lines.load(i));
}

/// The reverse of gather_lines.
template <bool kBack>
HWY_INLINE void scatter_lines(const Buffer& buffer, Index n, const Rows<kBack>& lines) {
  Index i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Tag d;
  for (; i + complexes <= n; i += complexes) {
    Vector even[complexes], odd[complexes];
    HWY_UNROLL(8)
    for (int j = 0; j < complexes; ++j) {
      const Value v = buffer.load(i + j);
      const Vector re = kBack ? v.im : v.re, im = kBack ? v.re : v.im;
      even[j] = interleave_even(re, im);
      odd[j] = interleave_odd(re, im);
    }
    transpose_complexes(even);
    transpose_complexes(odd);
    HWY_UNROLL(8)
    for (int l = 0; l < complexes; ++l) {
      hn::StoreU(even[l], d, lines.line[2 * l] + 2 * i);
      hn::StoreU(odd[l], d, lines.line[2 * l + 1] + 2 * i);
    }
  }
#endif
  for (; i < n; ++i) lines.store(i, buffer.load(i));
}

}  // namespace rooftop::fft::internal::ROOFTOP_FFT_PRECISION::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
