#include "aggregation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cholesky.hpp"
#include "coarser_stage.hpp"
#include "stage.hpp"

namespace rooftop::elasticity {
namespace {

constexpr int smoothing_steps = 2;
constexpr int polynomial_steps = 8;            // where there is no coarser level
constexpr std::int64_t fewest_unknowns = 600;  // more are not solved for directly

class Aggregation : public ApproximateInverse {
 public:
  Aggregation(BlockMatrix<float, components, components> matrix, const Motions<components>& motions, bool coarser,
              int threads, const GoOn& go_on)
      : threads_(threads) {
    finest_.matrix = std::move(matrix);
    set_up(finest_, threads, go_on);
    if (!coarser) {
      steps_ = polynomial_steps;
      return;
    }
    if (finest_.rows() * components > fewest_unknowns && go_on()) {
      auto [next, coarse] = coarsen(finest_, motions, threads, go_on);
      for (;;) {
        set_up(next, threads, go_on);
        stages_.push_back(std::move(next));
        Stage<rigid_motions>& last = stages_.back();
        if (last.rows() * rigid_motions <= fewest_unknowns || !go_on()) break;
        auto [after, again] = coarsen(last, coarse, threads, go_on);
        // Few strong neighbours: more such levels would cost more than they gain, and smoothing alone is left.
        if (2 * after.rows() > last.rows()) {
          last.up = {};
          break;
        }
        next = std::move(after);
        coarse = std::move(again);
      }
    }
    if (!go_on()) return;
    if (stages_.empty()) {
      factor(finest_);
    } else {
      factor(stages_.back());
    }
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    const double scale = 1 / norm;
    for_rows(finest_.rows(), threads_, [&](std::int64_t n) {
      for (int c = 0; c < components; ++c) finest_.r.data()[components * n + c] = static_cast<float>(scale * r[c][n]);
    });
    cycle(finest_, 0);
    for_rows(finest_.rows(), threads_, [&](std::int64_t n) {
      for (int c = 0; c < components; ++c) z[c][n] = norm * static_cast<double>(finest_.x.data()[components * n + c]);
    });
  }

  [[nodiscard]] double bytes() const override {
    double sum = finest_.bytes();
    for (const auto& stage : stages_) sum += stage.bytes();
    return sum;
  }

 private:
  template <int size>
  void factor(const Stage<size>& stage) {
    const std::int64_t unknowns = stage.rows() * size;
    if (unknowns > 4 * fewest_unknowns) return;
    std::vector<double> full(static_cast<std::size_t>(unknowns * unknowns), 0.0);
    for (std::int64_t row = 0; row < stage.rows(); ++row) {
      for (std::int64_t b = stage.matrix.pattern.start.data()[row]; b < stage.matrix.pattern.start.data()[row + 1];
           ++b) {
        for (std::int64_t v = 0; v < size * size; ++v) {
          const std::int64_t r = size * row + v / size, c = size * stage.matrix.pattern.column.data()[b] + v % size;
          full.data()[r * unknowns + c] = static_cast<double>(stage.matrix.block.data()[b].value.data()[v]);
        }
      }
    }
    last_ = Cholesky(std::move(full));
  }

  template <int size>
  void relax(Stage<size>& stage, bool zero, bool residual) {
    for (int s = 0; s < steps_; ++s) {
      const auto keep = static_cast<float>(s == 0 ? 0 : (2.0 * s - 1) / (2.0 * s + 3));
      const auto step = static_cast<float>((8.0 * s + 4) / ((2.0 * s + 3) * static_cast<double>(stage.largest)));
      for_rows(stage.rows(), threads_, [&](std::int64_t row) {
        const auto better = inverse_times(stage, row, stage.r.data() + row * size);
        float *d = stage.d.data() + row * size, *x = stage.x.data() + row * size;
        for (std::size_t i = 0; i < size; ++i) {
          d[i] = (s == 0 ? 0 : keep * d[i]) + step * better[i];
          x[i] = (zero && s == 0 ? 0 : x[i]) + d[i];
        }
      });
      if (residual || s + 1 < steps_) subtract(stage);
    }
  }

  /// r -= A d
  template <int size>
  void subtract(Stage<size>& stage) {
    for_rows(stage.rows(), threads_, [&](std::int64_t row) {
      const auto sum = row_product(stage.matrix, row, stage.d.data());
      for (std::size_t i = 0; i < size; ++i) stage.r.data()[row * size + static_cast<std::int64_t>(i)] -= sum[i];
    });
  }

  /// x becomes an approximate solution for r.
  template <int size>
  void cycle(Stage<size>& stage, std::size_t depth) {
    if (depth == stages_.size() && last_) return last_->solve(stage.r, stage.x);
    relax(stage, true, depth < stages_.size());
    if (depth == stages_.size()) return;
    Stage<rigid_motions>& coarse = stages_[depth];
    for_rows(coarse.rows(), threads_, [&](std::int64_t row) {
      std::array<float, rigid_motions> sum{};
      const Pattern& down = stage.down.pattern;
      for (std::int64_t t = down.start.data()[row]; t < down.start.data()[row + 1]; ++t) {
        const auto& block = stage.up.block[static_cast<std::size_t>(stage.down.block.data()[t])];
        const float* r = stage.r.data() + std::int64_t{size} * down.column.data()[t];
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t m = 0; m < rigid_motions; ++m) sum[m] += block(i, m) * r[i];
        }
      }
      std::copy(sum.begin(), sum.end(), coarse.r.data() + row * rigid_motions);
    });
    cycle(coarse, depth + 1);
    for_rows(stage.rows(), threads_, [&](std::int64_t row) {
      std::array<float, static_cast<std::size_t>(size)> sum{};
      const Pattern& up = stage.up.pattern;
      for (std::int64_t p = up.start.data()[row]; p < up.start.data()[row + 1]; ++p) {
        const auto& block = stage.up.block.data()[p];
        const float* x = coarse.x.data() + std::int64_t{rigid_motions} * up.column.data()[p];
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t m = 0; m < rigid_motions; ++m) sum[i] += block(i, m) * x[m];
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        stage.d.data()[row * size + static_cast<std::int64_t>(i)] = sum[i];
        stage.x.data()[row * size + static_cast<std::int64_t>(i)] += sum[i];
      }
    });
    subtract(stage);
    relax(stage, false, false);
  }

  int threads_, steps_ = smoothing_steps;
  Stage<components> finest_;
  std::vector<Stage<rigid_motions>> stages_;
  std::optional<Cholesky> last_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> smoothed_aggregation(BlockMatrix<float, components, components> matrix,
                                                         const Motions<components>& motions, bool coarser, int threads,
                                                         const GoOn& go_on) {
  return std::make_unique<Aggregation>(std::move(matrix), motions, coarser, threads, go_on);
}

}  // namespace rooftop::elasticity
