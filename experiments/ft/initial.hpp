/// NPB's random numbers: x' = 5^13 x mod 2^46, as doubles x / 2^46.
#pragma once

#include <cstdint>

#include "problem.hpp"

namespace ft {

inline constexpr std::uint64_t random_seed = 314159265;
inline constexpr std::uint64_t random_factor = 1220703125;  // 5^13
inline constexpr std::uint64_t random_mask = (std::uint64_t{1} << 46) - 1;

/// factor^power mod 2^46: what the generator multiplies by in `power` steps.
constexpr std::uint64_t random_leap(std::uint64_t power) {
  std::uint64_t leap = 1;
  for (std::uint64_t square = random_factor; power != 0; power >>= 1U, square = (square * square) & random_mask) {
    if ((power & 1U) != 0) leap = (leap * square) & random_mask;
  }
  return leap;
}

/// Writes `count` values of U0, from the value at place `first` on: real and imaginary parts are drawn in turn.
inline void draw_initial(Index first, Index count, Complex* values) {
  // Eight draws are under way at once: one waits 4 cycles for the one before.
  constexpr int ahead = 8;
  std::uint64_t state[ahead];
  std::uint64_t x = (random_leap(2 * static_cast<std::uint64_t>(first)) * random_seed) & random_mask;
  for (std::uint64_t& one : state) one = x = (x * random_factor) & random_mask;
  constexpr std::uint64_t leap = random_leap(ahead);
  auto* const to = reinterpret_cast<double*>(values);
  Index i = 0;
  for (; i + ahead <= 2 * count; i += ahead) {
    for (int lane = 0; lane < ahead; ++lane) {
      to[i + lane] = static_cast<double>(static_cast<std::int64_t>(state[lane])) * 0x1p-46;
      state[lane] = (state[lane] * leap) & random_mask;
    }
  }
  for (int lane = 0; i + lane < 2 * count; ++lane) {
    to[i + lane] = static_cast<double>(static_cast<std::int64_t>(state[lane])) * 0x1p-46;
  }
}

}  // namespace ft
