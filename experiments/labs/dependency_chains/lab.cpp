/// Dependency chains: a sum waits for its last addition unless it has several accumulators.
///
/// A core starts two multiply-adds per cycle, and each takes four cycles. One accumulator is one chain: every step
/// waits for the step before it. Latency times width is how many chains keep the core busy.
#include <array>
#include <cmath>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <utility>
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

/// One step of a chain. The empty asm keeps the compiler from putting neighbouring accumulators into one vector.
FUSED inline void step(double& sum, double value) {
  sum = std::fma(value, weight, sum);
  asm volatile("" : IN_REGISTER(sum));
}

/// The sum in as many accumulators as there are numbers `chain`, one value at a time.
template <std::size_t... chain>
FUSED double weighted_sum(const double* values, std::size_t length, std::int64_t passes,
                          std::index_sequence<chain...> /*chains*/) {
  std::array<double, sizeof...(chain)> sums{};
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + sums.size() <= length; i += sums.size()) (step(sums[chain], values[i + chain]), ...);
    for (; i < length; ++i) step(sums[0], values[i]);
  }
  return (sums[chain] + ...);
}

template <std::size_t chains>
class Chains final : public rooftop::LabRung {
 public:
  explicit Chains(Sum& lab) : lab_(lab) {}
  void run() override {
    lab_.sum = weighted_sum(lab_.values.data(), lab_.values.size(), lab_.parameters.passes,
                            std::make_index_sequence<chains>());
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
