/// Indirect branches: calls through a pointer, whose target must be guessed among several.
///
/// A conditional branch goes one of two ways. A call through a pointer (a virtual function, an interpreter's
/// instruction) goes to any of its targets, and where their order is random the guess is wrong more often the more of
/// them there are.
#include <algorithm>
#include <array>
#include <rooftop/lab.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t most_targets = 32;

/// What kind `kind` adds to the total.
constexpr std::uint64_t weight(std::size_t kind) { return 3 * kind + 1; }

/// Runs `length` operations of `targets` kinds, each of which adds its weight.
class Operations final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t length;
    std::int64_t targets;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::length>("length", 1, 1 << 28),
                                     rooftop::field<&Parameters::targets>("targets", 1, most_targets)};
  static std::vector<Parameters> checks() {
    return {{.length = 1, .targets = 1}, {.length = 997, .targets = 7}, {.length = 64, .targets = most_targets}};
  }

  Operations(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), kinds(static_cast<std::size_t>(given.length)) {
    std::uint64_t state = 0x9E3779B97F4A7C15U ^ setting.seed;  // xorshift64: no pattern that a predictor learns
    for (std::uint8_t& kind : kinds) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      kind = static_cast<std::uint8_t>((state >> 32U) % static_cast<std::uint64_t>(given.targets));
      expected += weight(kind);
    }
  }

  void poison() override { total = ~std::uint64_t{0}; }
  void spoil() override { total += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (total == expected) return rooftop::exact("");
    return rooftop::exact("the total is " + std::to_string(total) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  std::vector<std::uint8_t> kinds;
  std::uint64_t expected = 0;
  std::uint64_t total = 0;  ///< the result
};

using Operation = std::uint64_t (*)(std::uint64_t);

template <std::size_t kind>
std::uint64_t operation(std::uint64_t total) {
  return total + weight(kind);
}

template <std::size_t... kind>
constexpr std::array<Operation, most_targets> operations(std::index_sequence<kind...> /*all*/) {
  return {operation<kind>...};
}

class Calls : public rooftop::LabRung {
 public:
  explicit Calls(Operations& lab) : lab_(lab), table_(operations(std::make_index_sequence<most_targets>())) {}
  void run() override {
    std::uint64_t total = 0;
    for (const std::uint8_t kind : lab_.kinds) total = table_[kind](total);
    lab_.total = total;
  }

 private:
  Operations& lab_;
  std::array<Operation, most_targets> table_;
};

/// The order of additions does not matter: all operations of a kind may follow one another.
class Grouped final : public Calls {
 public:
  explicit Grouped(Operations& lab) : Calls(lab) { std::sort(lab.kinds.begin(), lab.kinds.end()); }
};

/// What differs between the kinds as data, and one code for all of them.
class Table final : public rooftop::LabRung {
 public:
  explicit Table(Operations& lab) : lab_(lab) {
    for (std::size_t kind = 0; kind < most_targets; ++kind) weights_[kind] = weight(kind);
  }
  void run() override {
    std::uint64_t total = 0;
    for (const std::uint8_t kind : lab_.kinds) total += weights_[kind];
    lab_.total = total;
  }

 private:
  Operations& lab_;
  std::array<std::uint64_t, most_targets> weights_{};
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Operations, variant<Calls, Operations>("10-random-order", "A call through a pointer for each operation."),
            variant<Grouped, Operations>("20-grouped", "The same calls, grouped by their targets beforehand."),
            variant<Table, Operations>("30-table", "A table of data in place of a table of functions."));
