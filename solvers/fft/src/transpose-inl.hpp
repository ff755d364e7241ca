// Between lines that lie one behind the other and rows of a buffer, which hold one value of each.

#if defined(ROOFTOP_FFT_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROOFTOP_FFT_TRANSPOSE_INL
#undef ROOFTOP_FFT_TRANSPOSE_INL
#else
#define ROOFTOP_FFT_TRANSPOSE_INL
#endif

#include <hwy/highway.h>

#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rooftop::fft::internal::HWY_NAMESPACE {

/// Complex numbers in a vector: 128-bit blocks of it.
inline constexpr int blocks = lanes / 2;

#if HWY_TARGET != HWY_SCALAR
/// Transposes as many vectors as they have blocks, in place: block j of vector i becomes block i of vector j.
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
#endif

/// Values of `lanes` lines into a buffer, each cache line of a line once: lines are often a multiple of 4 KiB apart,
/// and of what is left for later too much would meet in one set of the L1 cache.
template <bool kBack>
HWY_INLINE void gather_lines(const Rows<kBack>& lines, Index n, const Buffer& buffer) {
  Index i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Tag d;
  for (; i + blocks <= n; i += blocks) {
    Vector even[blocks], odd[blocks];
    HWY_UNROLL(4)
    for (int l = 0; l < blocks; ++l) {
      even[l] = hn::LoadU(d, lines.line[2 * l] + 2 * i);
      odd[l] = hn::LoadU(d, lines.line[2 * l + 1] + 2 * i);
    }
    transpose_blocks(even);
    transpose_blocks(odd);
    HWY_UNROLL(4)
    for (int j = 0; j < blocks; ++j) {
      const Vector re = hn::InterleaveLower(d, even[j], odd[j]), im = hn::InterleaveUpper(d, even[j], odd[j]);
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
  for (; i + blocks <= n; i += blocks) {
    Vector even[blocks], odd[blocks];
    HWY_UNROLL(4)
    for (int j = 0; j < blocks; ++j) {
      const Value v = buffer.load(i + j);
      const Vector re = kBack ? v.im : v.re, im = kBack ? v.re : v.im;
      even[j] = hn::InterleaveLower(d, re, im);
      odd[j] = hn::InterleaveUpper(d, re, im);
    }
    transpose_blocks(even);
    transpose_blocks(odd);
    HWY_UNROLL(4)
    for (int l = 0; l < blocks; ++l) {
      hn::StoreU(even[l], d, lines.line[2 * l] + 2 * i);
      hn::StoreU(odd[l], d, lines.line[2 * l + 1] + 2 * i);
    }
  }
#endif
  for (; i < n; ++i) lines.store(i, buffer.load(i));
}

}  // namespace rooftop::fft::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
