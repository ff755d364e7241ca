/// Prefetching, by the hardware and by hand.
///
/// The hardware fetches lines in advance if it can guess the next address: the next line, a steady stride. A program
/// that knows its addresses ahead, though they look random, can ask for them itself.
#include <array>
#include <numeric>
#include <rooftop/aligned.hpp>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <rooftop/random.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

struct alignas(64) Line {
  std::int64_t place;  ///< in the order of the visits, from 1
};

/// Visits lines of memory in a known order, and works for some cycles at each.
class Visits final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t lines;
    std::int64_t visits;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::lines>("lines", 1, 1 << 28),
                                     rooftop::field<&Parameters::visits>("visits", 1, 1 << 28),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.lines = 1, .visits = 1, .cycles = 0}, {.lines = 251, .visits = 367, .cycles = 17}};
  }

  Visits(const Parameters& given, const rooftop::Setting& setting) : parameters(given), seed(setting.seed) {}

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }
  /// Places first + 1, first + 2 …, and from 1 again after the last.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    std::int64_t expected = rooftop::Delay::step * parameters.cycles * parameters.visits;
    for (std::int64_t i = 0; i < parameters.visits; ++i) expected += (first + i) % parameters.lines + 1;
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  const std::uint64_t seed;
  std::int64_t first = 0;  ///< of the last run
  std::int64_t sum = -1;   ///< the result: all places, and a step for each cycle of work
};

template <bool random, int ahead>
class Visit final : public rooftop::LabRung {
 public:
  explicit Visit(Visits& lab)
      : lab_(lab), lines_(static_cast<std::size_t>(lab.parameters.lines)), order_(lines_.size() + ahead) {
    std::iota(order_.begin(), order_.begin() + lab.parameters.lines, 0U);
    const rooftop::RandomStream stream(lab.seed);
    for (std::size_t i = lines_.size() - 1; random && i > 0; --i)
      std::swap(order_[i], order_[stream.bits(i) % (i + 1)]);
    for (std::size_t i = 0; i < lines_.size(); ++i) lines_[order_[i]].place = static_cast<std::int64_t>(i) + 1;
  }

  /// Goes on where the run before ended, so that no cache knows the lines. The address depends on the sum so far, by
  /// what is always zero: no load runs ahead of the work by itself.
  void run() override {
    const rooftop::Delay delay;
    const Line* const lines = lines_.data();
    const std::uint32_t* const order = order_.data();
    std::int64_t sum = 0;
    lab_.first = at_;
    for (std::int64_t i = 0; i < lab_.parameters.visits; ++i) {
      if constexpr (ahead > 0) __builtin_prefetch(lines + order[at_ + ahead]);
      sum = delay.after(sum + lines[order[at_] + delay.zero_after(sum, 0)].place, lab_.parameters.cycles);
      if (++at_ == lab_.parameters.lines) at_ = 0;
    }
    lab_.sum = sum;
  }

 private:
  Visits& lab_;
  rooftop::AlignedArray<Line> lines_;
  std::vector<std::uint32_t> order_;
  std::int64_t at_ = 0;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Visits, variant<Visit<true, 0>, Visits>("10-at-random", "In an order that no hardware can guess."),
            variant<Visit<true, 4>, Visits>("20-by-hand", "In the same order, each line asked for four visits ahead."),
            variant<Visit<false, 0>, Visits>("30-in-order", "Line after line, which the hardware asks for."));
