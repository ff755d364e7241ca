/// Cache blocking of a stencil: each point becomes the mean of its four neighbours (a step of Jacobi's method).
///
/// A number is read three times as somebody's neighbour: by the row above, its own, and the row below. If a few rows
/// exceed the cache, it comes from memory each time. Blocks of columns narrow enough bring it once.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// A grid of rows x columns points, and its border.
class Grid final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t block;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 20),
                                     rooftop::field<&Parameters::columns>("columns", 1, 1 << 24),
                                     rooftop::field<&Parameters::block>("block", 1, 1 << 24)};
  static std::vector<Parameters> checks() {
    return {{.rows = 1, .columns = 1, .block = 1}, {.rows = 13, .columns = 37, .block = 5}};
  }

  Grid(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given),
        stride(given.columns + 2),
        from(static_cast<std::size_t>((given.rows + 2) * stride)),
        to(from.size()) {
    for (std::int64_t row = 0; row < given.rows + 2; ++row) {
      for (std::int64_t column = 0; column < stride; ++column) from[at(row, column)] = value(row, column);
    }
  }

  /// Small whole numbers, so that the mean is exact.
  static double value(std::int64_t row, std::int64_t column) { return static_cast<double>((7 * row + column) % 1024); }
  [[nodiscard]] std::size_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * stride + column);
  }

  void poison() override { std::fill(to.begin(), to.end(), -1.0); }
  void spoil() override { to[at(parameters.rows, parameters.columns)] += 0.25; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::int64_t row = 1; row <= parameters.rows; ++row) {
      for (std::int64_t column = 1; column <= parameters.columns; ++column) {
        const double expected =
            (value(row - 1, column) + value(row + 1, column) + value(row, column - 1) + value(row, column + 1)) / 4;
        if (to[at(row, column)] == expected) continue;
        return rooftop::exact("row " + std::to_string(row) + ", column " + std::to_string(column) + " is wrong");
      }
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  const std::int64_t stride;  ///< numbers from one row to the next
  rooftop::AlignedArray<double> from;
  rooftop::AlignedArray<double> to;  ///< the result
};

/// The points of a rectangle, rows [top, bottom) and columns [left, right).
void relax(Grid& lab, std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
  for (std::int64_t row = top; row < bottom; ++row) {
    const double* __restrict from = lab.from.data() + lab.at(row, 0);
    double* __restrict to = lab.to.data() + lab.at(row, 0);
    const std::int64_t stride = lab.stride;
    for (std::int64_t i = left; i < right; ++i) {
      to[i] = (from[i - stride] + from[i + stride] + from[i - 1] + from[i + 1]) * 0.25;
    }
  }
}

/// Halves the longer side until a block is left: blocks then follow one another on a Z-order curve.
void relax_z(Grid& lab, std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
  if (bottom - top <= 8 && right - left <= 1024) return relax(lab, top, bottom, left, right);
  if (right - left > bottom - top) {
    const std::int64_t middle = (left + right) / 2;
    relax_z(lab, top, bottom, left, middle);
    return relax_z(lab, top, bottom, middle, right);
  }
  const std::int64_t middle = (top + bottom) / 2;
  relax_z(lab, top, middle, left, right);
  relax_z(lab, middle, bottom, left, right);
}

enum class Order { rows, blocks, z };

template <Order order>
class Step final : public rooftop::LabRung {
 public:
  explicit Step(Grid& lab) : lab_(lab) { lab.poison(); }

  void run() override {
    const std::int64_t bottom = lab_.parameters.rows + 1;
    const std::int64_t right = lab_.parameters.columns + 1;
    if constexpr (order == Order::z) return relax_z(lab_, 1, bottom, 1, right);
    const std::int64_t width = order == Order::rows ? right : lab_.parameters.block;
    for (std::int64_t left = 1; left < right; left += width)
      relax(lab_, 1, bottom, left, std::min(right, left + width));
  }

 private:
  Grid& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Grid, variant<Step<Order::rows>, Grid>("10-whole-rows", "Row after row, each longer than the cache."),
            variant<Step<Order::blocks>, Grid>("20-blocks", "Blocks of columns, chosen for the cache."),
            variant<Step<Order::z>, Grid>("30-z-order", "Halves of halves, whatever the cache."));
