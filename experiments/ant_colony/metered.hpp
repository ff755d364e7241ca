/// An allocator of the standard library's kind over any malloc, which counts its calls and, in verified runs, times
/// some.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <rooftop/clock.hpp>
#include <rooftop/random.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace ants {

/// What is read around a call: the processor's counter, which takes less time than the clock and knows smaller steps.
/// It is not fenced, so a figure is rather low: what a call overlaps with reading is not counted. With fences nothing
/// overlaps, and it is half as much again, or more: pieces that are measured so add up to more than the program takes.
inline std::int64_t now_ticks() {
#ifdef __x86_64__
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
  return rooftop::now_ns();
#endif
}

/// A thread's share of what the ledger tells. Reading a clock takes as long as an allocation: one call of 64 is timed,
/// at random distances, since calls come in patterns, and what reading takes is measured beside each and taken off.
class Meter {
 public:
  void start(bool timed) {
    timed_ = timed;
    calls_ = measured_ = ticks_ = 0;
    began_ns_ = rooftop::now_ns(), began_ticks_ = now_ticks();
  }

  template <typename Call>
  void measure(const Call& call) {
    ++calls_;
    if (!timed_ || --left_ > 0) return call();
    left_ = 1 + static_cast<std::int64_t>(stream_.bits(drawn_++) % (2 * mean_distance - 1));
    const std::int64_t before = now_ticks(), start = now_ticks();
    call();
    const std::int64_t end = now_ticks();
    if (end - before > interrupted_ticks) return;
    ticks_ += (end - start) - (start - before);
    ++measured_;
  }

  void into(Ledger& ledger) {
    timed_ = false;
    ledger.allocations += calls_;
    if (measured_ == 0) return;
    const std::int64_t ns = rooftop::now_ns() - began_ns_,
                       ticks = std::max<std::int64_t>(now_ticks() - began_ticks_, 1);
    const double mean_ticks = static_cast<double>(ticks_) / static_cast<double>(measured_);
    const double mean_ns = mean_ticks * static_cast<double>(ns) / static_cast<double>(ticks);
    ledger.allocation_ns += static_cast<std::int64_t>(std::max(mean_ns, 0.0) * static_cast<double>(calls_));
  }

 private:
  static constexpr std::uint64_t mean_distance = 64;
  static constexpr std::int64_t interrupted_ticks = 1 << 21;  ///< a ms, nearly: another thread had the core meanwhile

  std::int64_t calls_ = 0, measured_ = 0, ticks_ = 0, began_ns_ = 0, began_ticks_ = 0, left_ = 1;
  std::uint64_t drawn_ = 0;
  rooftop::RandomStream stream_{0};
  bool timed_ = false;
};
inline Meter& meter() {
  static thread_local Meter one;
  return one;
}

/// `Source` has `void* take(bytes)`, null where there is no memory, and `void give(void*, bytes)`.
template <typename T, typename Source>
struct Metered {
  using value_type = T;

  Metered() = default;
  template <typename U>
  Metered(const Metered<U, Source>& /*other*/) {}  // NOLINT(google-explicit-constructor): as the standard asks
  template <typename U>
  struct rebind {
    using other = Metered<U, Source>;
  };

  T* allocate(std::size_t count) {
    void* memory = nullptr;
    meter().measure([&] { memory = Source::take(count * sizeof(T)); });
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    meter().measure([&] { Source::give(memory, count * sizeof(T)); });
  }
  friend bool operator==(const Metered& /*a*/, const Metered& /*b*/) { return true; }
};

template <typename Source>
using Text = std::basic_string<char, std::char_traits<char>, Metered<char, Source>>;
template <typename T, typename Source>
using List = std::vector<T, Metered<T, Source>>;

}  // namespace ants
