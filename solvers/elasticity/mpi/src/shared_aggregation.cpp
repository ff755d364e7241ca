#include "shared_aggregation.hpp"

#include <array>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "coarse_stages.hpp"
#include "coarser_stage.hpp"
#include "element_kinds.hpp"
#include "gathered_matrix.hpp"
#include "node_exchange.hpp"
#include "shared_mesh_operator.hpp"
#include "shared_rows.hpp"
#include "smoothing.hpp"

namespace rooftop::elasticity {
namespace {

template <class Real>
class SharedAggregation : public ApproximateInverse {
 public:
  SharedAggregation(MeshMatrix<Real> matrix, const MatrixOfNodes& given, Smoothing smoothing, bool coarser,
                    const MeshPart& part, const Sharing& how)
      : ranks_(how.ranks), threads_(how.threads) {
    ranks_.together([&] {
      exchange_.emplace(part.neighbours, sizeof(typename Motions<Real, components>::value_type), ranks_);
      rows_.emplace(part, how.overlap ? inner_rows(matrix) : 0, *exchange_);
      finest_.matrix = std::move(matrix);
      finest_.steps = coarser ? smoothing.steps : polynomial_steps;
      prepare(finest_, smoothing.clusters, threads_);
    });
    finest_.largest = static_cast<Real>(largest_eigenvalue(finest_, threads_, how.all_go_on, *rows_));
    if (coarser && how.all_go_on()) coarsen_shared(part, given, std::move(smoothing), how);
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, finest_, threads_);
    relax(finest_, finest_.steps, true, coarse_.has_value(), threads_, *rows_);
    if (coarse_) {
      // Each rank has put in what its own nodes give.
      restrict_residual(finest_, coarse_->first(), threads_);
      ranks_.sum(std::span(coarse_->first().r));
      coarse_->cycle();
      interpolate(coarse_->first(), finest_, threads_);
      subtract(finest_, threads_, *rows_);
      relax(finest_, finest_.steps, false, false, threads_, *rows_);
    }
    give(finest_, norm, z, threads_);
  }

  [[nodiscard]] bool stretched() const override { return std::is_same_v<Real, double>; }
  [[nodiscard]] double bytes() const override { return finest_.bytes() + (coarse_ ? coarse_->bytes() : 0); }

 private:
  /// As coarsen() of one process. Aggregates count over all ranks, those of the first one first.
  void coarsen_shared(const MeshPart& part, const MatrixOfNodes& given, Smoothing smoothing, const Sharing& how) {
    Nodes<Real, components> own_nodes;
    Aggregated<Real, components> by;
    std::vector<std::int64_t> counts;
    ranks_.together([&] {
      const auto own = static_cast<std::size_t>(components * part.own);
      own_nodes = {motions_of<Real>(given.coordinates.first(own), given.motions, given.free),
                   points_of(given.coordinates.first(own)),
                   std::move(smoothing.clusters),
                   {}};
      by = aggregated(finest_.matrix, own_nodes, threads_);
      counts = {by.aggregates.count};
    });
    counts = ranks_.gather(std::span<const std::int64_t>(counts));
    std::int64_t before = 0, all = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      if (static_cast<int>(rank) < ranks_.rank()) before += counts[rank];
      all += counts[rank];
    }
    if (all == 0) return;  // each node's own block is enough
    Nodes<Real, rigid_motions> coarse;
    ranks_.together([&] {
      coarse.at = middles(by.aggregates, own_nodes.at);
      for (std::int32_t& aggregate : by.aggregates.of) {
        if (aggregate != Aggregates::none) aggregate += static_cast<std::int32_t>(before);
      }
      by.aggregates.count = all;
      by.aggregates.of.resize(part.numbers.size(), Aggregates::none);
      by.columns.resize(part.numbers.size());
    });
    coarse.at = ranks_.gather(std::span<const Point>(coarse.at));
    coarse.motions = ranks_.gather(std::span<const Block<Real, rigid_motions, rigid_motions>>(by.coarse));
    exchange_->fetch(by.aggregates.of);
    exchange_->fetch(by.columns);
    if (smoothing.degree > 1) coarse.near = near_of_all(by.aggregates);
    std::optional<Interpolation<Real, components>> interpolation;
    BlockMatrix<Real, components, rigid_motions> known;
    ranks_.together([&] {
      interpolation.emplace(finest_, tentative(by), smoothing.degree, threads_, how.go_on);
      known = interpolation->start();
    });
    for (int step = 0; step < smoothing.degree; ++step) {
      BlockMatrix<Real, components, rigid_motions> added;
      ranks_.together([&] { added = interpolation->step(known); });
      if (step + 1 < smoothing.degree) known = with_rows_of_copies(added, part.all(), *exchange_);
    }
    ranks_.together([&] {
      finest_.up = interpolation->take();
      finest_.down = transpose(finest_.up.pattern);
    });
    known = with_rows_of_copies(finest_.up, part.all(), *exchange_);
    BlockMatrix<Real, rigid_motions, rigid_motions> own;
    ranks_.together(
        [&] { own = coarser_matrix(finest_.up, finest_.down, finest_.matrix, known, threads_, how.go_on); });
    known = {};
    Stage<Real, rigid_motions> next;
    next.matrix = sum_of_matrices(std::move(own), threads_, how.go_on, ranks_);
    ranks_.together([&] { coarse_.emplace(std::move(next), std::move(coarse), smoothing, threads_, how.go_on); });
  }

  /// Which aggregates have nodes that are neighbours, of those of all ranks.
  Pattern near_of_all(const Aggregates& aggregates) const {
    BlockMatrix<float, 1, 1> own;
    std::vector<std::int32_t> rows;
    ranks_.together([&] {
      own.pattern = neighbours_of(aggregates, finest_.matrix.pattern, threads_);
      for (std::int64_t row = 0; row < own.pattern.rows(); ++row) {
        const std::int64_t blocks = own.pattern.start.data()[row + 1] - own.pattern.start.data()[row];
        rows.insert(rows.end(), static_cast<std::size_t>(blocks), static_cast<std::int32_t>(row));
      }
    });
    return gathered_pattern(rows, own.pattern.column, aggregates.count, ranks_);
  }

  const Communicator& ranks_;
  int threads_;
  std::optional<NodeExchange> exchange_;
  std::optional<SharedRows> rows_;
  Stage<Real, components> finest_;
  std::optional<CoarseStages<Real>> coarse_;  // whole on every rank
};

}  // namespace

std::unique_ptr<ApproximateInverse> shared_aggregation(const MeshMatrix<double>& matrix, const Free& free, bool coarser,
                                                       const MeshPart& part, const Sharing& how) {
  const MatrixOfNodes given{matrix, part.mesh.coordinates, part.motions, free, spacing_of(part.mesh)};
  MeshMatrix<float> held;
  Smoothing smoothing;
  how.ranks.together([&] {
    held = held_matrix<float>(matrix, free, how.threads);
    smoothing = smoothing_of(held, given, how.threads);
  });
  // The coarser levels are of one kind on all ranks.
  Shape& shape = smoothing.shape;
  const std::array counted{&shape.nodes, &shape.clustered, &shape.clusters, &shape.pairs, &shape.edges, &shape.length};
  for (double* one : counted) *one = how.ranks.sum(*one);
  shape.steps = how.ranks.largest(shape.steps);
  shape.stretch = how.ranks.largest(shape.stretch);
  how.ranks.largest(std::span(shape.box));
  smoothing.choose();
  if (!smoothing.in_double) {
    return std::make_unique<SharedAggregation<float>>(std::move(held), given, std::move(smoothing), coarser, part, how);
  }
  held = {};
  MeshMatrix<double> in_double;
  how.ranks.together([&] { in_double = held_matrix<double>(matrix, free, how.threads); });
  return std::make_unique<SharedAggregation<double>>(std::move(in_double), given, std::move(smoothing), coarser, part,
                                                     how);
}

}  // namespace rooftop::elasticity
