/// Mutual exclusion: one counter for all threads, protected in each of OpenMP's ways.
///
/// An atomic moves the counter's cache line, a lock its own line too, and a reduction none until the end.
#include <omp.h>

#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Every thread adds 1 to one counter `increments` times, with `cycles` cycles of work after each.
class Adding final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t increments;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::increments>("increments", 1, 1 << 30),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.increments = 1, .cycles = 0}, {.increments = 101, .cycles = 9}}; }

  Adding(const Parameters& given, const rooftop::Setting& setting) : parameters(given), threads(setting.threads) {
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
  }
  ~Adding() override {
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
  }

  void poison() override { count = -1; }
  void spoil() override { count -= 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = parameters.increments * threads;
    if (count == expected) return rooftop::exact("");
    return rooftop::exact("counted " + std::to_string(count) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  const int threads;
  alignas(128) std::int64_t count = 0;  ///< the result; no lock shares its line
  alignas(128) omp_lock_t lock;
  alignas(128) omp_nest_lock_t nested;
};

std::int64_t in_critical(Adding& lab, std::int64_t& /*own*/) {
  std::int64_t before = 0;
#pragma omp critical(rooftop_counter)
  before = lab.count++;
  return before;
}

std::int64_t under_lock(Adding& lab, std::int64_t& /*own*/) {
  omp_set_lock(&lab.lock);
  const std::int64_t before = lab.count++;
  omp_unset_lock(&lab.lock);
  return before;
}

/// The holder of a nested lock may set it again: here a function that locks calls one that locks.
std::int64_t under_nested_lock(Adding& lab, std::int64_t& /*own*/) {
  omp_set_nest_lock(&lab.nested);
  omp_set_nest_lock(&lab.nested);
  const std::int64_t before = lab.count++;
  omp_unset_nest_lock(&lab.nested);
  omp_unset_nest_lock(&lab.nested);
  return before;
}

/// A thread that finds the lock taken may do something else.
std::int64_t under_test_lock(Adding& lab, std::int64_t& /*own*/) {
  const rooftop::Delay delay;
  while (omp_test_lock(&lab.lock) == 0) static_cast<void>(delay.after(std::int64_t{0}, 50));
  const std::int64_t before = lab.count++;
  omp_unset_lock(&lab.lock);
  return before;
}

std::int64_t atomically(Adding& lab, std::int64_t& /*own*/) {
  std::int64_t before = 0;
#pragma omp atomic capture
  before = lab.count++;
  return before;
}

std::int64_t on_its_own(Adding& /*lab*/, std::int64_t& own) { return own++; }

/// The work begins with the value that the increment found, and ends before the next: neither hides behind the other.
template <std::int64_t (*increment)(Adding&, std::int64_t&)>
class Protected final : public rooftop::LabRung {
 public:
  explicit Protected(Adding& lab) : lab_(lab) {}

  void run() override {
    lab_.count = 0;
    std::int64_t own = 0;
#pragma omp parallel num_threads(lab_.threads) reduction(+ : own)
    {
      const rooftop::Delay delay;
      for (std::int64_t i = 0, value = 0; i < lab_.parameters.increments; ++i)
        value = delay.after(value + increment(lab_, own), lab_.parameters.cycles);
    }
    lab_.count += own;
  }

 private:
  Adding& lab_;
};

template <std::int64_t (*increment)(Adding&, std::int64_t&)>
constexpr auto variant = rooftop::variant<Protected<increment>, Adding>;

}  // namespace

ROOFTOP_LAB(Adding, variant<in_critical>("10-critical", "A critical section, one lock for its name."),
            variant<under_lock>("20-lock", "A lock of the program's own."),
            variant<under_nested_lock>("30-nested-lock", "A lock that its holder may set again."),
            variant<under_test_lock>("40-test-lock", "Do something else while it is taken."),
            variant<atomically>("50-atomic", "The one addition, atomic."),
            variant<on_its_own>("60-reduction", "A counter for each thread, added up at the end."));
