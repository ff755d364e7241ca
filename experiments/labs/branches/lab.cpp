/// Branches: what a condition costs that the processor cannot foresee.
#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The sum of those of `length` bytes that are below a limit; `percent` of them are.
class Selection final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length, percent;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1 << 28),
                                     rooftop::field<&Parameters::percent>("percent", 0, 100)};
  static std::vector<Parameters> checks() {
    return {{.length = 1, .percent = 100}, {.length = 997, .percent = 50}, {.length = 64, .percent = 0}};
  }

  Selection(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given),
        values(static_cast<std::size_t>(given.length)),
        limit(static_cast<std::uint8_t>(given.percent)) {
    std::uint64_t state = 0x9E3779B97F4A7C15U ^ setting.seed;  // xorshift64: no pattern that a predictor learns
    for (std::uint8_t& value : values) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      value = static_cast<std::uint8_t>((state >> 32U) % 100);
    }
    // Independent of how the variants select: how often each value occurs.
    std::array<std::uint64_t, 100> times{};
    for (const std::uint8_t value : values) ++times[value];
    for (std::uint64_t value = 0; value < limit; ++value) expected += value * times[value];
  }

  void poison() override { sum = ~std::uint64_t{0}; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  std::vector<std::uint8_t> values;
  const std::uint8_t limit;
  std::uint64_t expected = 0;
  std::uint64_t sum = 0;  ///< the result
};

/// The asm makes the addition something that only a branch can skip: the compiler would use a mask.
std::uint64_t with_branch(const std::vector<std::uint8_t>& values, std::uint8_t limit) {
  std::uint64_t sum = 0;
  for (const std::uint8_t value : values) {
    if (value < limit) {
      sum += value;
      asm volatile("" : "+r"(sum));
    }
  }
  return sum;
}

class Random : public rooftop::LabRung {
 public:
  explicit Random(Selection& lab) : lab_(lab) {}
  void run() override { lab_.sum = with_branch(lab_.values, lab_.limit); }

 private:
  Selection& lab_;
};

class Sorted final : public Random {
 public:
  explicit Sorted(Selection& lab) : Random(lab) { std::sort(lab.values.begin(), lab.values.end()); }
};

/// A mask of ones or zeros instead of a branch; the asm keeps the compiler from vectors.
class Masked final : public rooftop::LabRung {
 public:
  explicit Masked(Selection& lab) : lab_(lab) {}
  void run() override {
    std::uint64_t sum = 0;
#pragma GCC unroll 8
    for (const std::uint8_t value : lab_.values) {
      sum += value & (std::uint64_t{0} - static_cast<std::uint64_t>(value < lab_.limit));
      asm volatile("" : "+r"(sum));
    }
    lab_.sum = sum;
  }

 private:
  Selection& lab_;
};

/// The same without the asm: the compiler vectorises a loop without branches.
class Vectors final : public rooftop::LabRung {
 public:
  explicit Vectors(Selection& lab) : lab_(lab) {}
  void run() override {
    std::uint64_t sum = 0;
    for (const std::uint8_t value : lab_.values) sum += value < lab_.limit ? value : 0U;
    lab_.sum = sum;
  }

 private:
  Selection& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Selection, variant<Random, Selection>("10-random", "A branch on values in random order."),
            variant<Sorted, Selection>("20-sorted", "The same branch on the same values, sorted beforehand."),
            variant<Masked, Selection>("30-branchless", "A mask in place of the branch."),
            variant<Vectors, Selection>("40-vectors", "No branch, and many values at once."));
