/// An allocator of the standard library's kind over any malloc, which counts and, in verified runs, times its calls.
#pragma once

#include <new>
#include <rooftop/clock.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace ants {

/// A thread's share of what the ledger tells.
struct Meter {
  std::int64_t calls = 0, elapsed_ns = 0;
  bool timed = false;

  void into(Ledger& ledger) {
    ledger.allocations += calls;
    ledger.allocation_ns += elapsed_ns;
    calls = elapsed_ns = 0;
  }
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
    measured([&] { memory = Source::take(count * sizeof(T)); });
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    measured([&] { Source::give(memory, count * sizeof(T)); });
  }
  friend bool operator==(const Metered& /*a*/, const Metered& /*b*/) { return true; }

 private:
  template <typename Call>
  static void measured(const Call& call) {
    Meter& mine = meter();
    ++mine.calls;
    if (!mine.timed) return call();
    const std::int64_t start_ns = rooftop::now_ns();
    call();
    mine.elapsed_ns += rooftop::now_ns() - start_ns;
  }
};

template <typename Source>
using Text = std::basic_string<char, std::char_traits<char>, Metered<char, Source>>;
template <typename T, typename Source>
using List = std::vector<T, Metered<T, Source>>;

}  // namespace ants
