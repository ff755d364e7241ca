// NPB's random numbers, as many at a time as vectors hold: a program that draws in the cache, between the passes of a
// transform, would otherwise wait for the multiplications.

#if defined(FT_INITIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FT_INITIAL_INL
#undef FT_INITIAL_INL
#else
#define FT_INITIAL_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "initial.hpp"

HWY_BEFORE_NAMESPACE();
namespace ft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The values that draw_initial() writes.
inline void draw_in_vectors(Index first, Index count, Complex* values) {
  Index drawn = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint64_t> d;
  using D = decltype(d);
  using Vector = hn::Vec<D>;
  const hn::RebindToFloat<D> real;
  const hn::Repartition<std::uint32_t, D> halves;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(D())), vectors = 4;  // a draw waits for the one before

  HWY_ALIGN std::uint64_t states[lanes * vectors];
  std::uint64_t x = (random_leap(2 * static_cast<std::uint64_t>(first)) * random_seed) & random_mask;
  for (std::uint64_t& one : states) one = x = (x * random_factor) & random_mask;
  Vector state[vectors];
  for (int v = 0; v < vectors; ++v) state[v] = hn::Load(d, states + lanes * v);

  // Products of 46 bits by those of their halves: of what the middle ones add, 23 bits are left.
  constexpr std::uint64_t leap = random_leap(lanes * vectors), low_half = (1U << 23U) - 1;
  const Vector leap_low = hn::Set(d, leap & low_half), leap_high = hn::Set(d, leap >> 23U);
  const Vector low_bits = hn::Set(d, low_half), bits = hn::Set(d, random_mask);
  const auto times = [&](Vector a, Vector b)
                         HWY_ATTR { return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b)); };
  // A number below 2^52 put into the bits of a double that is 2^52 adds itself to it.
  const Vector exponent = hn::Set(d, 0x4330000000000000U);
  const auto added = hn::Set(real, 0x1p52), scale = hn::Set(real, 0x1p-46);

  auto* const to = reinterpret_cast<double*>(values);
  for (; drawn + lanes * vectors <= 2 * count; drawn += lanes * vectors) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      const auto number = hn::Sub(hn::BitCast(real, hn::Or(state[v], exponent)), added);
      hn::StoreU(hn::Mul(number, scale), real, to + drawn + lanes * v);
      const Vector low = hn::And(state[v], low_bits), high = hn::ShiftRight<23>(state[v]);
      const Vector middle = hn::ShiftLeft<23>(hn::Add(times(high, leap_low), times(low, leap_high)));
      state[v] = hn::And(hn::Add(times(low, leap_low), middle), bits);
    }
  }
#endif
  draw_initial(first + drawn / 2, count - drawn / 2, values + drawn / 2);
}

}  // namespace ft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
