#include "aggregation.hpp"

#include <optional>
#include <type_traits>
#include <utility>

#include "coarse_stages.hpp"
#include "mesh_operator.hpp"
#include "smoothing.hpp"

namespace rooftop::elasticity {
namespace {

// Nodes. An inverse of 32 takes no more than the rows of the matrix do; layers have narrow factors.
constexpr std::int64_t most_in_a_cluster = 32, most_of_layers = 512;
constexpr double most_in_single = 1e7;  // the condition that bending may give a matrix in single precision

template <class Real>
class Aggregation : public ApproximateInverse {
 public:
  Aggregation(MeshMatrix<Real> matrix, const MatrixOfNodes& given, Smoothing how, bool coarser, int threads,
              const GoOn& go_on)
      : threads_(threads) {
    finest_.matrix = std::move(matrix);
    finest_.steps = coarser ? how.steps : polynomial_steps;
    // Narrow plates and beams have few values beside the diagonal.
    if (coarser && (how.in_double || finest_.rows() * components <= fewest_unknowns)) {
      direct_ = DirectSolution::of(finest_.matrix, work_of_bulk);
    }
    set_up(finest_, how.clusters, threads, go_on);
    if (!coarser || direct_ || !go_on()) return;
    Nodes<Real, components> nodes{motions_of<Real>(given.coordinates, given.motions, given.free),
                                  points_of(given.coordinates),
                                  std::move(how.clusters),
                                  {}};
    for (const MotionsOfOther& one : given.others) {
      const auto node = static_cast<std::size_t>(one.number / components);
      for (std::size_t m = 0; m < one.of.size(); ++m) {
        nodes.motions[node](static_cast<std::size_t>(one.number % components), m) = static_cast<Real>(one.of[m]);
      }
    }
    auto [next, coarse] = coarsen(finest_, nodes, how.degree, threads, go_on);
    coarse_.emplace(std::move(next), std::move(coarse), how, threads, go_on);
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, finest_, threads_);
    cycle();
    give(finest_, norm, z, threads_);
  }

  [[nodiscard]] bool stretched() const override { return std::is_same_v<Real, double>; }
  [[nodiscard]] double bytes() const override {
    return finest_.bytes() + (coarse_ ? coarse_->bytes() : 0) + (direct_ ? direct_->bytes() : 0);
  }
  /// The residual between smoothing and correction is one of as many products as there are steps before and after.
  [[nodiscard]] Sweeps sweeps() const override {
    if (direct_) return {};
    return {finest_.matrix.bytes() + finest_.inverse.bytes(), coarse_ ? 2 * finest_.steps : finest_.steps - 1};
  }

 private:
  void cycle() {
    if (direct_) return direct_->solve(finest_);
    relax(finest_, finest_.steps, true, coarse_.has_value(), threads_, Alone());
    if (!coarse_) return;
    restrict_residual(finest_, coarse_->first(), threads_);
    coarse_->cycle();
    interpolate(coarse_->first(), finest_, threads_);
    subtract(finest_, threads_, Alone());
    relax(finest_, finest_.steps, false, false, threads_, Alone());
  }

  int threads_;
  Stage<Real, components> finest_;
  std::optional<DirectSolution> direct_;  // of few nodes
  std::optional<CoarseStages<Real>> coarse_;
};

}  // namespace

Smoothing smoothing_of(const MeshMatrix<float>& held, const MatrixOfNodes& nodes, int threads) {
  const std::vector<Point> at = points_of(nodes.coordinates);
  Smoothing result{clusters_of(held.pattern, strengths(held, threads), at,
                               {most_in_a_cluster, most_of_layers, nodes.spacing}, threads),
                   shape_of(held.pattern, at, threads)};
  result.shape.count(held.pattern, result.clusters);
  return result;
}

void Smoothing::choose() {
  const bool bends = shape.condition() > most_in_single, stretched = shape.stretched();
  if (!stretched) clusters = no_clusters(static_cast<std::int64_t>(clusters.of.size()));
  in_double = bends || stretched;
  steps = in_double ? 4 : 2;
  degree = !in_double ? 1 : shape.flat() ? 3 : 2;
}

std::unique_ptr<ApproximateInverse> smoothed_aggregation(const MatrixOfNodes& nodes, bool coarser, int threads,
                                                         const GoOn& go_on) {
  auto held = held_matrix<float>(nodes.unreduced == nullptr ? nodes.matrix : *nodes.unreduced, nodes.free, threads);
  Smoothing how = smoothing_of(held, nodes, threads);
  how.choose();
  if (nodes.unreduced != nullptr && !how.in_double) held = held_matrix<float>(nodes.matrix, nodes.free, threads);
  if (!how.in_double) {
    return std::make_unique<Aggregation<float>>(std::move(held), nodes, std::move(how), coarser, threads, go_on);
  }
  held = {};
  return std::make_unique<Aggregation<double>>(held_matrix<double>(nodes.matrix, nodes.free, threads), nodes,
                                               std::move(how), coarser, threads, go_on);
}

}  // namespace rooftop::elasticity
