#include "coarse_stages.hpp"

#include "coarser_stage.hpp"
#include "smoothing.hpp"

namespace rooftop::elasticity {

CoarseStages::CoarseStages(Stage<rigid_motions> first, Motions<rigid_motions> motions, int threads, const GoOn& go_on)
    : threads_(threads) {
  for (;;) {
    set_up(first, threads, go_on);
    stages_.push_back(std::move(first));
    Stage<rigid_motions>& last = stages_.back();
    if (last.rows() * rigid_motions <= fewest_unknowns || !go_on()) break;
    auto [next, coarse] = coarsen(last, motions, threads, go_on);
    // Few strong neighbours: more such levels would cost more than they gain, and smoothing alone is left.
    if (2 * next.rows() > last.rows()) {
      last.up = {};
      break;
    }
    first = std::move(next);
    motions = std::move(coarse);
  }
  if (go_on()) last_ = factored(stages_.back());
}

double CoarseStages::bytes() const {
  double sum = 0;
  for (const auto& stage : stages_) sum += stage.bytes();
  return sum;
}

void CoarseStages::cycle(std::size_t depth) {
  Stage<rigid_motions>& stage = stages_[depth];
  const bool coarsest = depth + 1 == stages_.size();
  if (coarsest && last_) return last_->solve(stage.r, stage.x);
  relax(stage, smoothing_steps, true, !coarsest, threads_, Alone());
  if (coarsest) return;
  Stage<rigid_motions>& coarse = stages_[depth + 1];
  restrict_residual(stage, coarse, threads_);
  cycle(depth + 1);
  interpolate(coarse, stage, threads_);
  subtract(stage, threads_, Alone());
  relax(stage, smoothing_steps, false, false, threads_, Alone());
}

}  // namespace rooftop::elasticity
