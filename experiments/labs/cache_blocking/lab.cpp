/// Cache blocking of a stencil: each point becomes the mean of its four neighbours, several times (Jacobi's method).
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
    std::int64_t rows, columns, block, steps;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::rows>("rows", 1, 1 << 20),
                                     rooftop::field<&Parameters::columns>("columns", 1, 1 << 24),
                                     rooftop::field<&Parameters::block>("block", 1, 1 << 24),
                                     rooftop::field<&Parameters::steps>("steps", 1, 8)};
  static std::vector<Parameters> checks() {
    return {{.rows = 1, .columns = 1, .block = 1, .steps = 1}, {.rows = 13, .columns = 37, .block = 5, .steps = 3}};
  }

  using Numbers = rooftop::AlignedArray<double>;

  Grid(const Parameters& given, const rooftop::Setting& /*setting*/)
      : parameters(given), stride(given.columns + 2), grids{begun(), begun()} {}

  static void begin(Numbers& grid) {  // small whole numbers, so that means of means are exact
    for (std::uint32_t i = 0; double& number : grid) number = i * i & 1023U, ++i;
  }
  [[nodiscard]] Numbers begun() const {
    Numbers grid(static_cast<std::size_t>((parameters.rows + 2) * stride));
    begin(grid);
    return grid;
  }
  void poison() override {
    for (Numbers& grid : grids) begin(grid);
  }
  void spoil() override { *(grids[parameters.steps % 2].end() - stride - 2) += 0.25; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    Numbers now = begun();
    Numbers next = begun();
    for (std::int64_t step = 0; step < parameters.steps; ++step, std::swap(now, next)) {
      for (std::int64_t row = 1; row <= parameters.rows; ++row) {
        const double* const at = now.data() + row * stride;
        for (std::int64_t i = 1; i <= parameters.columns; ++i)
          next.data()[row * stride + i] = (at[i - stride] + at[i + stride] + at[i - 1] + at[i + 1]) / 4;
      }
    }
    const bool right = std::equal(now.begin(), now.end(), grids[parameters.steps % 2].begin());
    return rooftop::exact(right ? "" : "a point is not what a plain loop over all points makes of it");
  }

  const Parameters parameters;
  const std::int64_t stride;     ///< numbers from one row to the next
  std::array<Numbers, 2> grids;  ///< read and written in turn; the last one written is the result
};

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

void relax_z(Grid& lab, std::int64_t step, std::int64_t top, std::int64_t bottom, std::int64_t left,
             std::int64_t right) {
  if (bottom - top <= 8 && right - left <= lab.parameters.block) return relax(lab, step, top, bottom, left, right);
  const bool wide = 8 * (right - left) > (bottom - top) * lab.parameters.block;
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
  [[nodiscard]] rooftop::Work work() const override {
    const auto points = static_cast<double>(lab_.parameters.rows * lab_.parameters.columns * lab_.parameters.steps);
    return {.add_flops = 4 * points,
            .memory_bytes = 2 * sizeof(double) * points,
            .working_set_bytes = 2.0 * sizeof(double) * static_cast<double>(lab_.grids[0].size()),
            .algorithm = {}};
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
