#include "coarse_stages.hpp"

#include <cstddef>
#include <utility>

#include "smoothing.hpp"

namespace rooftop::elasticity {
namespace {

constexpr std::int64_t most_in_a_cluster = 8;  // aggregates

}  // namespace

template <class Real>
CoarseStages<Real>::CoarseStages(Stage<Real, rigid_motions> first, Nodes<Real, rigid_motions> nodes,
                                 const Smoothing& how, int threads, const GoOn& go_on)
    : threads_(threads) {
  const double most_work = how.in_double ? work_of_plates : work_of_bulk;
  for (;;) {
    first.steps = how.steps;
    stages_.push_back(std::move(first));
    Stage<Real, rigid_motions>& last = stages_.back();
    if (go_on()) last_ = DirectSolution::of(last.matrix, most_work);
    const bool few = last_ || last.rows() * rigid_motions <= fewest_unknowns;
    nodes.clusters = few || !how.in_double ? no_clusters(last.rows())
                                           : clusters_of(last.matrix.pattern, strengths(last.matrix, threads), nodes.at,
                                                         {most_in_a_cluster, most_in_a_cluster}, threads);
    prepare(last, nodes.clusters, threads);
    if (few || !go_on()) break;
    last.largest = static_cast<Real>(largest_eigenvalue(last, threads, go_on, Alone()));
    auto [next, coarse] = coarsen(last, nodes, how.degree, threads, go_on);
    // Few strong neighbours: more such levels would cost more than they gain.
    if (2 * next.rows() > last.rows()) {
      last.up = {};
      if (go_on()) last_ = DirectSolution::of(last.matrix, 10 * most_work);
      break;
    }
    first = std::move(next);
    nodes = std::move(coarse);
  }
}

template <class Real>
double CoarseStages<Real>::bytes() const {
  double sum = last_ ? last_->bytes() : 0;
  for (const auto& stage : stages_) sum += stage.bytes();
  return sum;
}

template <class Real>
void CoarseStages<Real>::cycle(std::size_t depth) {
  Stage<Real, rigid_motions>& stage = stages_[depth];
  const bool coarsest = depth + 1 == stages_.size();
  if (coarsest && last_) return last_->solve(stage);
  relax(stage, stage.steps, true, !coarsest, threads_, Alone());
  if (coarsest) return;
  Stage<Real, rigid_motions>& coarse = stages_[depth + 1];
  restrict_residual(stage, coarse, threads_);
  cycle(depth + 1);
  interpolate(coarse, stage, threads_);
  subtract(stage, threads_, Alone());
  relax(stage, stage.steps, false, false, threads_, Alone());
}

template class CoarseStages<float>;
template class CoarseStages<double>;

}  // namespace rooftop::elasticity
