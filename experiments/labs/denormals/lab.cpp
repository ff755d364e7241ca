/// Denormals: numbers so small that they have lost their leading one.
///
/// A decay, a filter or a field far from its source ends in numbers below 2.2e-308 that are not zero. Hardware is built
/// for the others; some processors hand these to microcode, instruction by instruction.
#include <array>
#include <limits>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

/// Steps of x = x / 2 + b, from x = 2 b on. In exact arithmetic x stays 2 b, and here it does, too: b is a small whole
/// number of the smallest denormal, or 1.
class Decay final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t steps;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::steps>("steps", 1, 1 << 30)};
  static std::vector<Parameters> checks() { return {{.steps = 1}, {.steps = 1009}}; }

  Decay(const Parameters& given, const rooftop::Setting& /*setting*/) : steps(given.steps) {}

  void poison() override { x = -1; }
  void spoil() override { x += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const double expected = flushed ? 0 : 2 * b;
    if (x == expected) return rooftop::exact("");
    return rooftop::exact("x is " + std::to_string(x / b) + " b, expected " + std::to_string(expected / b));
  }

  const std::int64_t steps;
  double b = 1;          ///< of the variant that ran
  bool flushed = false;  ///< whether it takes denormals for zero
  double x = -1;         ///< the result
};

/// Flush-to-zero is for results, denormals-are-zero for operands. Both belong to the thread, hence they are put back.
#if defined(__x86_64__)
constexpr unsigned flush_both = 0x8040;
#endif

template <bool denormal, bool flush>
class Steps final : public rooftop::LabRung {
 public:
  explicit Steps(Decay& lab) : lab_(lab) {
    lab_.b = denormal ? 1000 * std::numeric_limits<double>::denorm_min() : 1;
    lab_.flushed = flush;
#if !defined(__x86_64__)
    if (flush) throw rooftop::Skip("written for x86-64");
#endif
  }

  void run() override {
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr();
    if constexpr (flush) _mm_setcsr(before | flush_both);
#endif
    iterate();
#if defined(__x86_64__)
    _mm_setcsr(before);
#endif
  }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work;
    work.add_flops = 2 * static_cast<double>(lab_.steps);
    return work;
  }

 private:
  /// A call, so that the compiler keeps the arithmetic between the two settings of the mode.
  __attribute__((noinline)) void iterate() {
    const double b = lab_.b;
    double x = 2 * b;
    for (std::int64_t step = 0; step < lab_.steps; ++step) x = x * 0.5 + b;
    lab_.x = x;
  }

  Decay& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Decay, variant<Steps<true, false>, Decay>("10-denormal", "Operands and results below 2.2e-308."),
            variant<Steps<true, true>, Decay>("20-flushed", "The same, with denormals taken for zero."),
            variant<Steps<false, false>, Decay>("30-normal", "Operands and results near 1."));
