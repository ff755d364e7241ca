#include "cascade.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::elasticity {
namespace {

constexpr std::int64_t fewest_nodes = 125;  // that a coarser box is made for

Field<float> copy(const Field<float>& from, int threads) {
  Field<float> result(from.grid(), threads);
  for (int c = 0; c < components; ++c) std::copy_n(from[c], from.grid().nodes(), result[c]);
  return result;
}

}  // namespace

bool wants_coarser(const Grid& grid) {
  return grid.nodes() > fewest_nodes && (grid.nx > 2 || grid.ny > 2 || grid.nz > 2);
}

int smoothing_steps_at(std::size_t depth, int finest) { return finest << std::min<std::size_t>(depth, 2); }

void inject(const Coarsenings& by, const Field<float>& from, Field<float>& to) {
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

std::unique_ptr<Operator<float>> single_precision(const AnyBox& box, const Operator<double>* exact, int threads,
                                                  const GoOn& go_on) {
  if (box.aligned != nullptr) return std::make_unique<TensorOperator<float>>(*box.aligned, threads);
  if (const auto* known = dynamic_cast<const StencilOperator<double>*>(exact)) {
    return std::make_unique<StencilOperator<float>>(*known, threads);
  }
  return std::make_unique<StencilOperator<float>>(assemble(*box.free, threads, go_on), threads);
}

Cascade::Cascade(const AnyBox& box, const Operator<double>* exact, const Field<float>& free, std::size_t depth,
                 int steps, int threads, const GoOn& go_on)
    : depth_(depth), steps_(steps) {
  levels_.emplace_back(single_precision(box, exact, threads, go_on), free, threads).prepare(go_on);
  Field<float> fine_free = copy(free, threads);
  std::optional<AlignedBox> aligned;
  std::optional<FreeBox> other;
  AnyBox at = box;
  while (wants_coarser(levels_.back().grid()) && go_on()) {
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
    levels_.emplace_back(single_precision(at, nullptr, threads, go_on), coarse_free, threads).prepare(go_on);
    fine_free = std::move(coarse_free);
  }
  if (go_on()) last_.emplace(levels_.back());
}

double Cascade::bytes() const {
  double sum = 0;
  for (const Level& level : levels_) sum += level.bytes();
  return sum;
}

/// Symmetric: it smooths after a correction as before it.
void Cascade::cycle(std::size_t at) {
  Level& level = levels_[at];
  if (at + 1 == levels_.size()) return last_->solve(level);
  const int steps = smoothing_steps_at(depth_ + at, steps_);
  Level& coarse = levels_[at + 1];
  level.relax(steps, true, true);
  restrict_residual(level.r(), level.inverse(), level.threads(), by_[at], all_of(coarse.grid()), coarse.r());
  cycle(at + 1);
  interpolate(coarse.x(), by_[at], level);
  level.correct();
  level.relax(steps, false, false);
}

}  // namespace rooftop::elasticity
