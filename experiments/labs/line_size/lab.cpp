/// The size of a cache line, seen by a sweep of strides.
///
/// A cache fetches whole lines. A loop that reads every second int of an array, or every fourth, needs as many lines as
/// one that reads all; from the line's size on, a stride twice as wide needs half the lines.
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// The sum of every int, or of every n-th, in `passes` passes over an array.
class Sweep final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t bytes;
    std::int64_t passes;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::bytes>("bytes", 4, 1 << 30),
                                     rooftop::field<&Parameters::passes>("passes", 1, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.bytes = 4, .passes = 1}, {.bytes = 4 * 1009, .passes = 3}}; }

  Sweep(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), numbers(static_cast<std::size_t>(given.bytes) / sizeof(std::uint32_t)) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i) + 1;
  }

  void poison() override { sum = 0; }
  void spoil() override { sum += 1; }

  /// The numbers at multiples of the stride: 1, 1 + stride, 1 + 2 stride … modulo 2^32.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::uint64_t count = (numbers.size() + stride - 1) / stride;
    const std::uint64_t once = count + stride * (count * (count - 1) / 2);
    const auto expected = static_cast<std::uint32_t>(once * static_cast<std::uint64_t>(parameters.passes));
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  rooftop::AlignedArray<std::uint32_t> numbers;  ///< 1, 2, 3 …
  std::size_t stride = 1;                        ///< of the variant that ran
  std::uint32_t sum = 0;                         ///< the result
};

/// Reads every `stride`-th int. The compiler makes vectors of a loop that reads all; the empty asm keeps it from
/// gathering vectors from the others. Four sums: in one, an addition would wait for the one before, a cycle each, which
/// is about as long as a core takes for a line from L2.
template <std::size_t stride>
class Every final : public rooftop::LabRung {
 public:
  static constexpr std::size_t sums = 4;
  explicit Every(Sweep& lab) : lab_(lab) { lab_.stride = stride; }

  void run() override {
    std::uint32_t sum = 0;
    std::array<std::uint32_t, sums> parts{};
    const std::uint32_t* const numbers = lab_.numbers.data();
    const std::size_t count = lab_.numbers.size();
    for (std::int64_t pass = 0; pass < lab_.parameters.passes; ++pass) {
      asm volatile("" ::: "memory");  // a pass reads again
      std::size_t i = 0;
      for (; stride > 1 && i + (sums - 1) * stride < count; i += sums * stride) {
#pragma GCC unroll 4
        for (std::size_t part = 0; part < sums; ++part) {
          parts[part] += numbers[i + part * stride];
          asm volatile("" : "+r"(parts[part]));
        }
      }
      for (; i < count; i += stride) sum += numbers[i];
    }
    for (const std::uint32_t part : parts) sum += part;
    lab_.sum = sum;
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(lab_.parameters.bytes);
    const double touched = stride * sizeof(std::uint32_t) > 64 ? 64.0 / (stride * sizeof(std::uint32_t)) : 1;
    return {.memory_bytes = bytes * touched * static_cast<double>(lab_.parameters.passes),
            .working_set_bytes = bytes,
            .algorithm = {}};
  }

 private:
  Sweep& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Sweep, variant<Every<1>, Sweep>("10-every-int", "All ints, by the compiler's vectors."),
            variant<Every<8>, Sweep>("20-every-8th", "An eighth of the ints: 32 bytes apart."),
            variant<Every<16>, Sweep>("30-every-16th", "A sixteenth: 64 bytes apart."),
            variant<Every<32>, Sweep>("40-every-32nd", "A thirty-second: 128 bytes apart."),
            variant<Every<64>, Sweep>("50-every-64th", "A sixty-fourth: 256 bytes apart."));
