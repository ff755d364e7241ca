#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "approximate_inverse.hpp"
#include "level.hpp"

namespace rooftop::elasticity {
namespace {

constexpr int smoothing_steps = 3;          // before and after each correction
constexpr int polynomial_steps = 8;         // where there is no coarser box
constexpr std::int64_t fewest_nodes = 125;  // that a coarser box is made for

/// The matrix of a box in single precision. `exact` is that in double precision, or null.
std::unique_ptr<Operator<float>> single(const AnyBox& box, const Operator<double>* exact, int threads,
                                        const GoOn& go_on) {
  if (box.aligned != nullptr) return std::make_unique<TensorOperator<float>>(*box.aligned, threads);
  if (const auto* known = dynamic_cast<const StencilOperator<double>*>(exact)) {
    return std::make_unique<StencilOperator<float>>(*known, threads);
  }
  return std::make_unique<StencilOperator<float>>(assemble(*box.free, threads, go_on), threads);
}

/// r of a level becomes the residual, scaled to a norm of 1: single precision has no small numbers.
void take(const Field<double>& r, double norm, Level& level) {
  const auto scale = 1 / norm;
#pragma omp parallel num_threads(level.threads())
  {
    const Share own = share_of(level.grid().nodes());
    for (int c = 0; c < components; ++c) {
      for (std::int64_t n = own.begin; n < own.end; ++n) level.r()[c][n] = static_cast<float>(scale * r[c][n]);
    }
  }
}

void give(Level& level, double norm, Field<double>& z) {
#pragma omp parallel num_threads(level.threads())
  {
    const Share own = share_of(level.grid().nodes());
    for (int c = 0; c < components; ++c) {
      for (std::int64_t n = own.begin; n < own.end; ++n) z[c][n] = norm * static_cast<double>(level.x()[c][n]);
    }
  }
}

class Polynomial : public ApproximateInverse {
 public:
  explicit Polynomial(Level level) : level_(std::move(level)) {}

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, level_);
    level_.relax(polynomial_steps, true, false);
    give(level_, norm, z);
  }
  [[nodiscard]] double bytes() const override { return level_.bytes(); }

 private:
  Level level_;
};

class Multigrid : public ApproximateInverse {
 public:
  Multigrid(const AnyBox& box, const Operator<double>& matrix, const Free& free, int threads, const GoOn& go_on) {
    levels_.emplace_back(single(box, &matrix, threads, go_on), free, threads, go_on);
    Field<float> fine_free = copy(free, threads);
    std::optional<AlignedBox> aligned;
    std::optional<FreeBox> other;
    AnyBox at = box;
    while (at_least(levels_.back().grid(), fewest_nodes) && go_on()) {
      by_.push_back(at.aligned != nullptr ? at.aligned->coarsenings() : at.free->coarsenings());
      if (at.aligned != nullptr) {
        aligned = at.aligned->coarser(by_.back());
        at.aligned = &*aligned;
      } else {
        other = at.free->coarser(by_.back(), threads);
        at.free = &*other;
      }
      const Grid& coarse = at.aligned != nullptr ? at.aligned->grid : at.free->grid;
      Field<float> coarse_free(coarse, threads);
      inject(by_.back(), fine_free, coarse_free);
      levels_.emplace_back(single(at, nullptr, threads, go_on), coarse_free, threads, go_on);
      fine_free = std::move(coarse_free);
    }
    if (go_on()) last_.emplace(levels_.back());
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, levels_.front());
    cycle(0);
    give(levels_.front(), norm, z);
  }
  [[nodiscard]] double bytes() const override {
    double sum = 0;
    for (const Level& level : levels_) sum += level.bytes();
    return sum;
  }

 private:
  /// Whether a box has so many nodes, and a coarser one would have fewer.
  static bool at_least(const Grid& grid, std::int64_t nodes) {
    return grid.nodes() > nodes && (grid.nx > 2 || grid.ny > 2 || grid.nz > 2);
  }

  static Field<float> copy(const Field<float>& from, int threads) {
    Field<float> result(from.grid(), threads);
    for (int c = 0; c < components; ++c) std::copy_n(from[c], from.grid().nodes(), result[c]);
    return result;
  }

  static void inject(const Coarsenings& by, const Field<float>& from, Field<float>& to) {
    const Grid &grid = to.grid(), &fine = from.grid();
    for (int c = 0; c < components; ++c) {
      for (std::int64_t k = 0; k < grid.nz; ++k) {
        for (std::int64_t j = 0; j < grid.ny; ++j) {
          const std::int64_t line = fine.node(0, by[1].kept.data()[j], by[2].kept.data()[k]);
          for (std::int64_t i = 0; i < grid.nx; ++i) {
            to[c][grid.node(i, j, k)] = from[c][line + by[0].kept.data()[i]];
          }
        }
      }
    }
  }

  static int steps_at(std::size_t depth) { return smoothing_steps << std::min<std::size_t>(depth, 2); }

  /// x becomes an approximate solution for r. Symmetric: it smooths after a correction as before it.
  void cycle(std::size_t depth) {
    Level& level = levels_[depth];
    if (depth + 1 == levels_.size()) return last_->solve(level);
    level.relax(steps_at(depth), true, true);
    restrict_residual(level, level.r(), by_[depth], levels_[depth + 1].r());
    cycle(depth + 1);
    interpolate(levels_[depth + 1].x(), by_[depth], level);
    level.correct();
    level.relax(steps_at(depth), false, false);
  }

  std::vector<Level> levels_;
  std::vector<Coarsenings> by_;
  std::optional<Dense> last_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> chebyshev(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on) {
  return std::make_unique<Polynomial>(Level(single(box, &matrix, threads, go_on), free, threads, go_on));
}

std::unique_ptr<ApproximateInverse> multigrid(const AnyBox& box, const Operator<double>& matrix, const Free& free,
                                              int threads, const GoOn& go_on) {
  return std::make_unique<Multigrid>(box, matrix, free, threads, go_on);
}

}  // namespace rooftop::elasticity
