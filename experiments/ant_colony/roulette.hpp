/// A choice among 16 candidates in two vectors of eight (AVX2).
#pragma once

#include <immintrin.h>

#include <bit>
#include <type_traits>

#include "problem.hpp"

namespace ants {

/// The sums of lanes 0 to i, in lane i: within halves by shifts of one and two lanes, then the lower half's to the
/// upper.
inline __m256 sums_of(__m256 x) {
  const auto shifted = [](__m256 v, auto bytes) {
    return _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(v), decltype(bytes)::value));
  };
  x = _mm256_add_ps(x, shifted(x, std::integral_constant<int, 4>{}));
  x = _mm256_add_ps(x, shifted(x, std::integral_constant<int, 8>{}));
  const __m256 of_lower = _mm256_permute_ps(_mm256_permute2f128_ps(x, x, 0x08), 0xff);
  return _mm256_add_ps(x, of_lower);
}

/// The bytes of eight cities in `states`. Byte by byte: a gather takes some 40 operations for eight lanes on processors
/// that make it of loads, Zen 3's among them, and reads four bytes for one.
inline __m128i states_of(const std::uint8_t* states, const City* ids) {
  __m128i bytes = _mm_cvtsi32_si128(states[ids[0]]);
  bytes = _mm_insert_epi8(bytes, states[ids[1]], 1);
  bytes = _mm_insert_epi8(bytes, states[ids[2]], 2);
  bytes = _mm_insert_epi8(bytes, states[ids[3]], 3);
  bytes = _mm_insert_epi8(bytes, states[ids[4]], 4);
  bytes = _mm_insert_epi8(bytes, states[ids[5]], 5);
  bytes = _mm_insert_epi8(bytes, states[ids[6]], 6);
  return _mm_insert_epi8(bytes, states[ids[7]], 7);
}

/// The candidate drawn, 0 to 15, by choices / their sum, of those that are left: all bits of whose states are set; -1
/// where none is. `chance` is in [0, 1).
inline int drawn(const float* choices, const City* ids, const std::uint8_t* states, float chance) {
  const __m128i states_a = states_of(states, ids), states_b = states_of(states, ids + 8);
  const auto left_of = [](const float* eight, __m128i bytes) {
    return _mm256_and_ps(_mm256_load_ps(eight), _mm256_castsi256_ps(_mm256_cvtepi8_epi32(bytes)));
  };
  const __m256 a = sums_of(left_of(choices, states_a));
  __m256 b = sums_of(left_of(choices + 8, states_b));
  const __m256i last = _mm256_set1_epi32(7);
  b = _mm256_add_ps(b, _mm256_permutevar8x32_ps(a, last));
  const __m256 drawn = _mm256_mul_ps(_mm256_permutevar8x32_ps(b, last), _mm256_set1_ps(chance));
  const auto left = static_cast<unsigned>(_mm_movemask_epi8(_mm_unpacklo_epi64(states_a, states_b)));
  const auto beyond = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, drawn, _CMP_GT_OQ))) |
                      static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(b, drawn, _CMP_GT_OQ))) << 8U;
  // Sums of different lanes are rounded differently, and may grow where nothing is left: both are asked.
  if ((beyond & left) != 0) return std::countr_zero(beyond & left);
  return left == 0 ? -1 : std::bit_width(left) - 1;
}

}  // namespace ants
