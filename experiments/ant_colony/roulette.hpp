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

/// All ones where a city is left: the top bit of its byte in `states`.
inline __m256i left_of(const std::uint8_t* states, __m256i ids) {
  // Four bytes are read for one, hence three more than there are cities.
  const __m256i bytes = _mm256_i32gather_epi32(reinterpret_cast<const int*>(states), ids, 1);
  return _mm256_srai_epi32(_mm256_slli_epi32(bytes, 24), 31);
}

/// The candidate drawn, 0 to 15, by choices / their sum, of those that are left; -1 where none is. `chance` is in [0,
/// 1).
inline int drawn(const float* choices, const City* ids, const std::uint8_t* states, float chance) {
  const __m256i left_a = left_of(states, _mm256_load_si256(reinterpret_cast<const __m256i*>(ids)));
  const __m256i left_b = left_of(states, _mm256_load_si256(reinterpret_cast<const __m256i*>(ids + 8)));
  const __m256 a = sums_of(_mm256_and_ps(_mm256_load_ps(choices), _mm256_castsi256_ps(left_a)));
  __m256 b = sums_of(_mm256_and_ps(_mm256_load_ps(choices + 8), _mm256_castsi256_ps(left_b)));
  const __m256i last = _mm256_set1_epi32(7);
  b = _mm256_add_ps(b, _mm256_permutevar8x32_ps(a, last));
  const __m256 drawn = _mm256_mul_ps(_mm256_permutevar8x32_ps(b, last), _mm256_set1_ps(chance));
  const auto bits = [](__m256 low, __m256 high) {
    return static_cast<unsigned>(_mm256_movemask_ps(low)) | static_cast<unsigned>(_mm256_movemask_ps(high)) << 8U;
  };
  const unsigned left = bits(_mm256_castsi256_ps(left_a), _mm256_castsi256_ps(left_b));
  const unsigned beyond = bits(_mm256_cmp_ps(a, drawn, _CMP_GT_OQ), _mm256_cmp_ps(b, drawn, _CMP_GT_OQ));
  // Sums of different lanes are rounded differently, and may grow where nothing is left: both are asked.
  if ((beyond & left) != 0) return std::countr_zero(beyond & left);
  return left == 0 ? -1 : std::bit_width(left) - 1;
}

}  // namespace ants
