/// A toy cache of a few lines, the least recently used of which gives way, counts its misses on a small grid. The time
/// is that of the same walk over a grid that is to the L1 cache what the small one is to the toy.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t line_elements = 4;
struct alignas(16) Element {  // so that a line holds four here, too
  std::int64_t value;
};

class Grid final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t lines, rows, columns, real_rows;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::lines>("lines", 1, 64),
                                     rooftop::field<&Parameters::rows>("rows", 3, 1 << 10),
                                     rooftop::field<&Parameters::columns>("columns", 3, 1 << 10),
                                     rooftop::field<&Parameters::real_rows>("real_rows", 3, 1 << 20)};
  static std::vector<Parameters> checks() {
    return {{.lines = 6, .rows = 6, .columns = 28, .real_rows = 3},
            {.lines = 5, .rows = 7, .columns = 13, .real_rows = 9}};
  }

  Grid(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), elements(static_cast<std::size_t>(given.real_rows * given.columns)) {
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i].value = static_cast<std::int64_t>(i) + 1;
  }

  void poison() override { sum = misses = -1; }
  void spoil() override { misses += 1; }

  /// Misses by the definition: an access hits if fewer than `lines` other lines were used since its own line was.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    std::int64_t expected = 0;
    for (std::size_t now = 0; now < accesses.size(); ++now) {
      const std::int64_t line = accesses[now] / line_elements;
      std::set<std::int64_t> others;
      std::size_t then = now;
      while (then > 0 && accesses[then - 1] / line_elements != line) others.insert(accesses[--then] / line_elements);
      if (then == 0 || static_cast<std::int64_t>(others.size()) >= parameters.lines) ++expected;
    }
    const auto count = static_cast<std::int64_t>(elements.size());
    if (misses == expected && sum == count * (count + 1) / 2) return rooftop::exact("");
    return rooftop::exact(std::to_string(misses) + " misses and the sum " + std::to_string(sum) + " are not right");
  }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{"misses", static_cast<double>(misses)}};
  }

  const Parameters parameters;
  rooftop::AlignedArray<Element> elements;
  std::vector<std::int64_t> accesses;  ///< elements of the small grid, in the variant's order
  std::int64_t misses = -1;            ///< results: the toy's misses, and what the walk over the real grid found
  std::int64_t sum = -1;
};

/// The misses of a fully associative cache that drops the least recently used line.
std::int64_t toy_misses(const std::vector<std::int64_t>& accesses, std::size_t capacity) {
  std::vector<std::int64_t> lines;  // the one used last is the first
  std::int64_t misses = 0;
  for (const std::int64_t element : accesses) {
    const auto found = std::find(lines.begin(), lines.end(), element / line_elements);
    misses += found == lines.end() ? 1 : 0;
    if (found != lines.end()) lines.erase(found);
    if (lines.size() == capacity) lines.pop_back();
    lines.insert(lines.begin(), element / line_elements);
  }
  return misses;
}

// Two orders: each calls `visit` with the number of an element. Unrolled, because a branch each would limit the walk
// where the core's other hardware thread is busy.
constexpr auto by_columns = [](std::int64_t rows, std::int64_t columns, auto visit) {
  for (std::int64_t column = 0; column < columns; ++column) {
#pragma GCC unroll 8
    for (std::int64_t row = 0; row < rows; ++row) visit(row * columns + column);
  }
};
constexpr auto by_rows = [](std::int64_t rows, std::int64_t columns, auto visit) {
#pragma GCC unroll 8
  for (std::int64_t element = 0; element < rows * columns; ++element) visit(element);
};
template <auto order>
class Walk final : public rooftop::LabRung {
 public:
  explicit Walk(Grid& lab) : lab_(lab) {
    order(lab.parameters.rows, lab.parameters.columns, [&](std::int64_t element) { lab_.accesses.push_back(element); });
  }

  /// An addition waits for the one before it, one cycle each; the empty asm keeps the compiler from changing that.
  void run() override {
    std::int64_t sum = 0;
    order(lab_.parameters.real_rows, lab_.parameters.columns,
          [&, elements = lab_.elements.data()](std::int64_t element) {
            sum += elements[element].value;
            asm volatile("" : "+r"(sum));
          });
    lab_.sum = sum;
  }
  void finish() override { lab_.misses = toy_misses(lab_.accesses, static_cast<std::size_t>(lab_.parameters.lines)); }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(sizeof(Element) * lab_.elements.size());
    return {.memory_bytes = bytes, .working_set_bytes = bytes, .algorithm = {}};
  }

 private:
  Grid& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Grid, variant<Walk<by_columns>, Grid>("10-by-columns", "Down the columns."),
            variant<Walk<by_rows>, Grid>("20-by-rows", "Along the rows."));
