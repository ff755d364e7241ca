/// Padding: the order of a struct's members decides how many bytes it takes.
///
/// A member starts at a multiple of its alignment, and the struct's size is a multiple of the largest. Small members
/// between large ones leave holes that are moved through the memory's bus with the rest.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

struct Padded {
  char kind;
  std::int64_t first;
  std::int32_t count;
  std::int64_t second;
};
struct Sorted {
  std::int64_t first;
  std::int64_t second;
  std::int32_t count;
  char kind;
};
struct __attribute__((packed)) Packed {
  std::int64_t first;
  std::int64_t second;
  std::int32_t count;
  char kind;
};
static_assert(sizeof(Padded) == 32 && sizeof(Sorted) == 24 && sizeof(Packed) == 21);

/// The sum of one member of an array of structs: few instructions a line, so that memory is what is waited for.
class Structs final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t structs;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::structs>("structs", 1, 1 << 28)};
  static std::vector<Parameters> checks() { return {{.structs = 1}, {.structs = 1009}}; }

  Structs(const Parameters& given, const rooftop::Setting& /*setting*/) : structs(given.structs) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = structs * (structs - 1) / 2;
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"struct_bytes", static_cast<double>(struct_bytes)}};
  }

  const std::int64_t structs;
  std::size_t struct_bytes = 0;  ///< of the variant that ran
  std::int64_t sum = -1;         ///< the result
};

template <typename Struct>
class Sum final : public rooftop::LabRung {
 public:
  explicit Sum(Structs& lab) : lab_(lab), structs_(static_cast<std::size_t>(lab.structs)) {
    lab_.struct_bytes = sizeof(Struct);
    std::int64_t i = 0;
    for (Struct& one : structs_) {
      one.first = i;
      one.second = 5 * i;
      one.count = static_cast<std::int32_t>(i % 1000);
      one.kind = static_cast<char>(i % 100);
      ++i;
    }
  }

  void run() override {
    std::int64_t sum = 0;
    for (const Struct& one : structs_) {
      sum += one.first;
      asm volatile("" : "+r"(sum));  // or the compiler gathers members of several structs, which takes longer
    }
    lab_.sum = sum;
  }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(sizeof(Struct) * structs_.size());
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Structs& lab_;
  rooftop::AlignedArray<Struct> structs_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Structs, variant<Sum<Padded>, Structs>("10-padded", "Small members between large ones: 32 bytes."),
            variant<Sum<Sorted>, Structs>("20-sorted", "The largest first: 24 bytes."),
            variant<Sum<Packed>, Structs>("30-packed", "No padding at all, members at any address: 21 bytes."));
