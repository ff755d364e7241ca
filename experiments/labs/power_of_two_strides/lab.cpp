/// Conflicts of lines that are a power of two apart.
///
/// Bits of the address choose the set of a cache in which a line may lie. Lines 4096 bytes apart share a set of an L1
/// cache with 64 sets, which holds as many of them as it has ways; the rest of the cache may be empty.
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

struct Line {
  const Line* next;
  std::int64_t place;  ///< on the way through all lines
};

// Two columns, because a second miss in the same set right after the first takes longer than one elsewhere.
constexpr std::size_t columns = 2;
constexpr std::size_t column_bytes = 512;

/// Hops through the lines of two columns of a matrix, whose rows come in random order.
class Matrix final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t lines;
    std::int64_t hops;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::lines>("lines", 1, 1 << 16),
                                     rooftop::field<&Parameters::hops>("hops", 1, 1 << 30)};
  static std::vector<Parameters> checks() { return {{.lines = 1, .hops = 1}, {.lines = 13, .hops = 1009}}; }

  Matrix(const Parameters& given, const rooftop::Setting& setting) : parameters(given), seed(setting.seed) {}

  void poison() override { place = -1; }
  void spoil() override { place += 1; }
  /// The way starts at place 0 in each run.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const std::int64_t expected = parameters.hops % (parameters.lines * static_cast<std::int64_t>(columns));
    if (place == expected) return rooftop::exact("");
    return rooftop::exact("the way ended at " + std::to_string(place) + ", expected " + std::to_string(expected));
  }

  const Parameters parameters;
  const std::uint64_t seed;
  std::int64_t place = -1;  ///< the result: where the way ended
};

template <std::size_t stride_bytes>
class Hops final : public rooftop::LabRung {
 public:
  explicit Hops(Matrix& lab) : lab_(lab) {
    std::vector<std::size_t> order(static_cast<std::size_t>(lab.parameters.lines));
    memory_ = rooftop::AlignedArray<char>(order.size() * stride_bytes + columns * column_bytes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const rooftop::RandomStream stream(lab.seed);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[stream.bits(i) % (i + 1)]);
    const auto line = [&](std::size_t i) {
      const std::size_t row = order[i / columns % order.size()];
      return reinterpret_cast<Line*>(memory_.data() + row * stride_bytes + i % columns * column_bytes);
    };
    for (std::size_t i = 0; i < columns * order.size(); ++i) *line(i) = {line(i + 1), static_cast<std::int64_t>(i)};
    first_ = line(0);
  }

  void run() override {
    const Line* at = first_;
    for (std::int64_t hop = 0; hop < lab_.parameters.hops; ++hop) at = at->next;
    lab_.place = at->place;
  }

 private:
  Matrix& lab_;
  rooftop::AlignedArray<char> memory_;
  const Line* first_ = nullptr;
};

/// As many cycles, whatever the clock is at the moment.
class Additions final : public rooftop::LabRung {
 public:
  explicit Additions(Matrix& lab) : lab_(lab) {}

  void run() override {
    const std::int64_t hops = rooftop::Delay().after(std::int64_t{0}, lab_.parameters.hops) / rooftop::Delay::step;
    lab_.place = hops % (lab_.parameters.lines * static_cast<std::int64_t>(columns));
  }

 private:
  Matrix& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Matrix, variant<Hops<4096>, Matrix>("10-stride-4096", "The lines of a column in one set of L1."),
            variant<Hops<2048>, Matrix>("20-stride-2048", "In two sets."),
            variant<Hops<4096 + 64>, Matrix>("30-stride-4160", "A line further each: all sets are used."),
            variant<Additions, Matrix>("40-additions", "Additions in place of hops, to count in cycles."));
