/// Work of a known number of cycles, for labs that keep a core busy and for the probe of its clock.
#pragma once

#include <concepts>
#include <cstdint>

namespace rooftop {

namespace detail {
// Read from memory when the program runs, so that neither the compiler nor the core knows them.
inline const volatile std::int64_t delay_step = 3;
inline const volatile std::int64_t delay_nothing = 0;
}  // namespace detail

/// A chain of additions, each of which waits for the one before: a cycle each, on every core.
///
/// What is added is in a register that was loaded from memory. An addition of a constant is no clock: Intel's cores
/// from Golden Cove on add small constants when they rename registers, up to five of a chain in a cycle (uops.info,
/// ADD_R64_I8 on Alder Lake). A chain of multiplications could not be shortened either, but a step takes 3 cycles on
/// x86 and 2 to 4 on Arm. docs/decisions/0057 has the reasons.
///
/// Make one before a loop that uses it: it reads the step.
class Delay {
 public:
  static constexpr std::int64_t step = 3;  ///< what each cycle adds

  /// Returns `value + step * cycles`, `cycles` cycles after `value` is known; `value` if there are none.
  template <std::integral Value>
  [[nodiscard, gnu::always_inline]] Value after(Value value, std::int64_t cycles) const {
    static_assert(sizeof(Value) == sizeof(std::int64_t), "the instruction adds 64 bits");
    const Value added = static_cast<Value>(step_);
    if (cycles <= 0) return value;
    for (std::int64_t left = cycles / 16; left > 0; --left) add<16>(value, added);
    // A loop over the rest would take a cycle more at each branch that is taken, where it is not aligned.
    if ((cycles & 8) != 0) add<8>(value, added);
    if ((cycles & 4) != 0) add<4>(value, added);
    if ((cycles & 2) != 0) add<2>(value, added);
    if ((cycles & 1) != 0) add<1>(value, added);
    return value;
  }

  /// Returns 0, at the same time. Whatever adds it, or uses it in an address, waits for the cycles.
  template <std::integral Value>
  [[nodiscard, gnu::always_inline]] Value zero_after(Value value, std::int64_t cycles) const {
    return after(value, cycles) & static_cast<Value>(nothing_);
  }

 private:
  /// The instruction is written out: from `value += added` gcc may make a move and an addition, which takes two cycles
  /// where the core does not eliminate moves (Ice Lake).
  template <int count, typename Value>
  [[gnu::always_inline]] static void add(Value& value, Value added) {
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) {
#if defined(__x86_64__)
      asm volatile("addq %1, %0" : "+r"(value) : "r"(added) : "cc");
#elif defined(__aarch64__)
      asm volatile("add %0, %0, %1" : "+r"(value) : "r"(added));
#else
      value += added;
      asm volatile("" : "+r"(value));
#endif
    }
  }

  std::int64_t step_ = detail::delay_step;
  std::int64_t nothing_ = detail::delay_nothing;
};

}  // namespace rooftop
