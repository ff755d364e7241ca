/// Cache blocking of a stencil: each point becomes the mean of its four neighbours, several times (Jacobi's method).
///
/// A number is read three times in a step, for the row above, its own and the row below, and again in the next step.
#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <utility>

namespace {

/// `steps` steps on a grid of rows x columns points, and its border.
class Grid final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t block;
    std::int64_t steps;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 20),
                                     rooftop::field<&Parameters::columns>("columns", 1, 1 << 24),
                                     rooftop::field<&Parameters::block>("block", 1, 1 << 24),
                                     rooftop::field<&Parameters::steps>("steps", 1, 8)};
  static std::vector<Parameters> checks() {
    return {{.rows = 1, .columns = 1, .block = 1, .steps = 1}, {.rows = 13, .columns = 37, .block = 5, .steps = 3}};
  }

  Grid(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), stride(given.columns + 2), grids{begun(), begun()} {}

  /// Small whole numbers, so that means of means are exact.
  [[nodiscard]] rooftop::AlignedArray<double> begun() const {
    rooftop::AlignedArray<double> grid(static_cast<std::size_t>((parameters.rows + 2) * stride));
    for (std::int64_t i = 0; i < (parameters.rows + 2) * stride; ++i) {
      grid.data()[i] = static_cast<double>((3 * (i / stride) * (i / stride) + i % stride) % 1024);
    }
    return grid;
  }
  /// A run works in place: it begins anew after this, and what is there is not its result.
  void poison() override { grids = {begun(), begun()}; }
  void spoil() override { *(grids[parameters.steps % 2].end() - stride - 2) += 0.25; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    auto now = begun();
    auto next = begun();
    for (std::int64_t step = 0; step < parameters.steps; ++step, std::swap(now, next)) {
      for (std::int64_t i = stride; i < (parameters.rows + 1) * stride; ++i) {
        const double* at = now.data() + i;
        const bool border = i % stride == 0 || i % stride == stride - 1;
        next.data()[i] = border ? *at : (at[-stride] + at[stride] + at[-1] + at[1]) / 4;
      }
    }
    const bool right = std::equal(now.begin(), now.end(), grids[parameters.steps % 2].begin());
    return rooftop::exact(right ? "" : "a point is not what a plain loop over all points makes of it");
  }

  const Parameters parameters;
  const std::int64_t stride;                           ///< numbers from one row to the next
  std::array<rooftop::AlignedArray<double>, 2> grids;  ///< read and written in turn; the last one written is the result
};

/// The points of rows [top, bottom) and columns [left, right).
void relax(Grid& lab, std::int64_t step, std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
  const std::int64_t stride = lab.stride;
  for (std::int64_t row = top; row < bottom; ++row) {
    const double* __restrict from = lab.grids[step % 2].data() + row * stride;
    double* __restrict to = lab.grids[(step + 1) % 2].data() + row * stride;
    for (std::int64_t i = left; i < right; ++i) {
      to[i] = (from[i - stride] + from[i + stride] + from[i - 1] + from[i + 1]) * 0.25;
    }
  }
}

/// Halves the longer side until a block is left: blocks then follow one another on a Z-order curve.
void relax_z(Grid& lab, std::int64_t step, std::int64_t top, std::int64_t bottom, std::int64_t left,
             std::int64_t right) {
  if (bottom - top <= 8 && right - left <= 1024) return relax(lab, step, top, bottom, left, right);
  const bool wide = right - left > bottom - top;
  const std::int64_t middle = wide ? (left + right) / 2 : (top + bottom) / 2;
  relax_z(lab, step, top, wide ? bottom : middle, left, wide ? middle : right);
  relax_z(lab, step, wide ? top : middle, bottom, wide ? middle : left, right);
}

enum class Order { rows, blocks, z, wavefront };

template <Order order>
class Steps final : public rooftop::LabRung {
 public:
  explicit Steps(Grid& lab) : lab_(lab) {}

  void run() override {
    const auto [rows, columns, block, steps] = lab_.parameters;
    const std::int64_t right = columns + 1;
    if constexpr (order == Order::wavefront) {
      // Each step follows one row behind the one before it.
      for (std::int64_t front = 1; front < rows + steps; ++front) {
        for (std::int64_t step = std::max<std::int64_t>(0, front - rows); step < std::min(steps, front); ++step) {
          relax(lab_, step, front - step, front - step + 1, 1, right);
        }
      }
      return;
    }
    for (std::int64_t step = 0; step < steps; ++step) {
      if constexpr (order == Order::z) relax_z(lab_, step, 1, rows + 1, 1, right);
      const std::int64_t width = order == Order::rows ? columns : block;
      for (std::int64_t left = 1; order != Order::z && left < right; left += width) {
        relax(lab_, step, 1, rows + 1, left, std::min(right, left + width));
      }
    }
  }

 private:
  Grid& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Grid, variant<Steps<Order::rows>, Grid>("10-whole-rows", "Step after step, row after row."),
            variant<Steps<Order::blocks>, Grid>("20-blocks", "Blocks of columns: three rows of one stay in the cache."),
            variant<Steps<Order::z>, Grid>("30-z-order", "Halves of halves, whatever the cache."),
            variant<Steps<Order::wavefront>, Grid>("40-wavefront", "All steps together, each a row behind."));
