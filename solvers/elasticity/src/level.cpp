#include "level.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "lanczos.hpp"

namespace rooftop::elasticity {
namespace {

constexpr double least_pivot = 1e-7;  // of values in single precision
constexpr std::int64_t grain = 1024;  // nodes: smaller loops are not worth a team

int team(const Grid& grid, int threads) {
  return static_cast<int>(std::clamp<std::int64_t>(grid.nodes() / grain, 1, threads));
}

Field<float> inverse_diagonal(const Operator<float>& matrix, const Field<float>& free, int threads) {
  const Grid& grid = matrix.grid();
  Field<float> result(grid, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t node = 0; node < grid.nodes(); ++node) {
    const auto blocks = matrix.diagonal(node);
    const std::array<float, components> diagonal{blocks[0], blocks[3], blocks[5]};
    for (int c = 0; c < components; ++c) {
      const float value = diagonal[static_cast<std::size_t>(c)];
      result[c][node] = free[c][node] > 0 && value > 0 ? 1 / value : 0;
    }
  }
  return result;
}

/// The numbers that follow a state, so many further on in a sequence of which each node of the whole box has its own.
class Random {
 public:
  Random(std::uint32_t state, std::int64_t skipped) : state_(state) {
    std::uint32_t times = multiplier, plus = increment;
    for (auto left = static_cast<std::uint64_t>(skipped); left > 0; left >>= 1) {
      if ((left & 1) != 0) state_ = times * state_ + plus;
      plus += times * plus;
      times *= times;
    }
  }
  /// From -1 to 1.
  float operator()() {
    state_ = multiplier * state_ + increment;
    return static_cast<float>(state_ >> 8) / (1U << 23) - 1;
  }

 private:
  static constexpr std::uint32_t multiplier = 1664525U, increment = 1013904223U;
  std::uint32_t state_;
};

}  // namespace

Level::Level(std::unique_ptr<Operator<float>> matrix, const Field<float>& free, int threads)
    : matrix_(std::move(matrix)),
      threads_(team(matrix_->grid(), threads)),
      inverse_(inverse_diagonal(*matrix_, free, threads_)),
      x_(grid(), threads_),
      r_(grid(), threads_),
      d_(grid(), threads_) {}

double Level::bytes() const { return matrix_->bytes() + inverse_.bytes() + x_.bytes() + r_.bytes() + d_.bytes(); }

void Level::smooth(float keep, float step, bool first) {
  const std::int64_t lanes = kernels<float>().lanes;
#pragma omp parallel num_threads(threads_)
  {
    const Share own = share_of((grid().nodes() + lanes - 1) / lanes * lanes, lanes);
    for (int c = 0; c < components; ++c) {
      kernels<float>().smooth(own.end - own.begin, keep, step, first, inverse_[c] + own.begin, r_[c] + own.begin,
                              d_[c] + own.begin, x_[c] + own.begin);
    }
  }
}

/// r, the same at a node however many processes share the box.
void Level::fill_at_random() {
  const Grid& box = grid();
  const auto [whole, first] = matrix_->place();
  for (int c = 0; c < components; ++c) {
    for (std::int64_t k = 0; k < box.nz; ++k) {
      for (std::int64_t j = 0; j < box.ny; ++j) {
        Random random(12345, c * whole.nodes() + whole.node(first[0], j + first[1], k + first[2]));
        const std::int64_t line = box.node(0, j, k);
        for (std::int64_t n = line; n < line + box.nx; ++n) {
          const float value = random();
          r_[c][n] = inverse_[c][n] > 0 ? value : 0;
          d_[c][n] = 0;
        }
      }
    }
  }
}

/// The largest eigenvalue of D^-1 A.
void Level::prepare(const std::function<bool()>& go_on) {
  const Grid& box = grid();
  fill_at_random();
  const auto sum = [&](auto each) {
    double total = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : total)
    for (std::int64_t n = 0; n < box.nodes(); ++n) {
      for (int c = 0; c < components; ++c) total += each(c, n);
    }
    return matrix_->sum_of_all(total);
  };
  const auto for_each = [&](auto change) {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t n = 0; n < box.nodes(); ++n) {
      for (int c = 0; c < components; ++c) change(c, n);
    }
  };
  Lanczos lanczos;
  for (int s = 0; s < lanczos_steps && go_on(); ++s) {
    const auto beta = static_cast<float>(lanczos.beta(sum([&](int c, std::int64_t n) {
      const double r = r_[c][n];
      return r * r * static_cast<double>(inverse_[c][n]);
    })));
    for_each([&](int c, std::int64_t n) { d_[c][n] = inverse_[c][n] * r_[c][n] + beta * d_[c][n]; });
    const auto alpha = static_cast<float>(lanczos.alpha(matrix_->multiply(d_, x_, 1, false)));
    if (!(alpha > 0)) break;
    for_each([&](int c, std::int64_t n) { r_[c][n] = inverse_[c][n] > 0 ? r_[c][n] - alpha * x_[c][n] : 0; });
  }
  largest_ = lanczos.largest();
}

/// Chebyshev polynomials of the fourth kind: Lottes, Optimal polynomial smoothers for multigrid V-cycles, 2023.
void Level::relax(int steps, bool zero, bool residual) {
  for (int s = 0; s < steps; ++s) {
    const double keep = s == 0 ? 0 : (2.0 * s - 1) / (2.0 * s + 3);
    const double step = (8.0 * s + 4) / ((2.0 * s + 3) * largest_);
    smooth(static_cast<float>(keep), static_cast<float>(step), zero && s == 0);
    if (residual || s + 1 < steps) matrix_->multiply(d_, r_, -1, true);
  }
}

void Level::correct() {
  const Grid& box = grid();
#pragma omp parallel num_threads(threads_)
  {
    const Share own = share_of(box.nodes());
    for (int c = 0; c < components; ++c) {
      for (std::int64_t n = own.begin; n < own.end; ++n) x_[c][n] += d_[c][n];
    }
  }
  matrix_->multiply(d_, r_, -1, true);
}

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

Dense::Dense(Level& level) {
  const Grid& grid = level.grid();
  for (int c = 0; c < components; ++c) {
    for (std::int64_t n = 0; n < grid.nodes(); ++n) {
      if (level.inverse()[c][n] > 0) unknowns_.push_back({c, n});
    }
  }
  const std::size_t count = unknowns_.size();
  Envelope matrix(std::vector<std::int64_t>(count, 0));
  for (int c = 0; c < components; ++c) std::fill_n(level.d()[c], grid.nodes(), 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    const Unknown& one = unknowns_[i];
    level.d()[one.component][one.node] = 1;
    level.matrix().multiply(level.d(), level.r(), 1, false);
    level.d()[one.component][one.node] = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      matrix.row(static_cast<std::int64_t>(i))[j] =
          static_cast<double>(level.r()[unknowns_[j].component][unknowns_[j].node]);
    }
  }
  factor_.emplace(std::move(matrix), least_pivot);
}

void Dense::solve(Level& level) const {
  std::vector<double> values(unknowns_.size());
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    values[i] = static_cast<double>(level.r()[unknowns_[i].component][unknowns_[i].node]);
  }
  factor_->solve(values);
  for (int c = 0; c < components; ++c) std::fill_n(level.x()[c], level.grid().nodes(), 0.0F);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    level.x()[unknowns_[i].component][unknowns_[i].node] = static_cast<float>(values[i]);
  }
}

}  // namespace rooftop::elasticity
