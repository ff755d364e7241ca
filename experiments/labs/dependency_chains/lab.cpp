/// Dependency chains: a sum waits for its last addition unless it has several accumulators.
///
/// A core starts two multiply-adds per cycle, and each takes four cycles. One accumulator is one chain: every step
/// waits for the step before it. Latency times width is how many chains keep the core busy.
#include <array>
#include <cmath>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#define FUSED __attribute__((target("avx2,fma,bmi2")))
#define IN_REGISTER "+x"
#else
#define FUSED
#define IN_REGISTER "+w"
#endif

namespace {

constexpr double weight = 3;

/// Adds weight times each of `length` values, `passes` times, to one sum.
class Sum final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length;
    std::int64_t passes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1 << 20),
                                     rooftop::field<&Parameters::passes>("passes", 1, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.length = 1, .passes = 1}, {.length = 8, .passes = 2}, {.length = 97, .passes = 3}};
  }

  Sum(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), values(static_cast<std::size_t>(given.length)) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7);
  }

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    // Whole numbers far below 2^53: every order of additions gives the same sum.
    const std::int64_t sevens = parameters.length / 7;
    const std::int64_t rest = parameters.length % 7;
    const std::int64_t once = 21 * sevens + rest * (rest - 1) / 2;
    const auto expected = static_cast<double>(parameters.passes * 3 * once);
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  rooftop::AlignedArray<double> values;
  double sum = -1;
};

/// The sum in `chains` accumulators, one value at a time.
template <std::size_t chains>
FUSED double weighted_sum(const double* values, std::size_t length, std::int64_t passes) {
  std::array<double, chains> sums{};
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + chains <= length; i += chains) {
#pragma GCC unroll 16
      for (std::size_t chain = 0; chain < chains; ++chain) {
        sums[chain] = std::fma(values[i + chain], weight, sums[chain]);
        // Keeps the compiler from putting neighbouring accumulators into one vector.
        asm volatile("" : IN_REGISTER(sums[chain]));
      }
    }
    for (; i < length; ++i) sums[0] = std::fma(values[i], weight, sums[0]);
  }
  double sum = 0;
  for (const double one : sums) sum += one;
  return sum;
}

template <std::size_t chains>
class Chains final : public rooftop::LabRung {
 public:
  explicit Chains(Sum& lab) : lab_(lab) {}
  void run() override {
    lab_.sum = weighted_sum<chains>(lab_.values.data(), lab_.values.size(), lab_.parameters.passes);
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(lab_.values.size() * sizeof(double));
    const auto passes = static_cast<double>(lab_.parameters.passes);
    return {
        .fma_flops = bytes / 4 * passes, .memory_bytes = bytes * passes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Sum& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Sum, variant<Chains<1>, Sum>("10-one-chain.avx2", "One accumulator: each step waits for the last."),
            variant<Chains<2>, Sum>("20-two-chains.avx2", "Two accumulators."),
            variant<Chains<4>, Sum>("30-four-chains.avx2", "Four accumulators."),
            variant<Chains<8>, Sum>("40-eight-chains.avx2", "Eight: latency 4 times width 2."),
            variant<Chains<12>, Sum>("50-twelve-chains.avx2", "More than latency times width."));
