#include "shared_aggregation.hpp"

#include <optional>
#include <span>
#include <utility>

#include "coarse_stages.hpp"
#include "coarser_stage.hpp"
#include "gathered_matrix.hpp"
#include "node_exchange.hpp"
#include "shared_mesh_operator.hpp"
#include "shared_rows.hpp"
#include "smoothing.hpp"

namespace rooftop::elasticity {
namespace {

class SharedAggregation : public ApproximateInverse {
 public:
  SharedAggregation(MeshMatrix<float> matrix, const Free& free, bool coarser, const MeshPart& part, const Sharing& how)
      : ranks_(how.ranks), threads_(how.threads), steps_(coarser ? smoothing_steps : polynomial_steps) {
    ranks_.together([&] {
      exchange_.emplace(part.neighbours, sizeof(Motions<components>::value_type), ranks_);
      rows_.emplace(part, how.overlap ? inner_rows(matrix) : 0, *exchange_);
      finest_.matrix = std::move(matrix);
      prepare(finest_, threads_);
    });
    finest_.largest = static_cast<float>(largest_eigenvalue(finest_, threads_, how.all_go_on, *rows_));
    if (coarser && how.all_go_on()) coarsen_shared(part, free, how);
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, finest_, threads_);
    relax(finest_, steps_, true, coarse_.has_value(), threads_, *rows_);
    if (coarse_) {
      // Each rank has put in what its own nodes give.
      restrict_residual(finest_, coarse_->first(), threads_);
      ranks_.sum(std::span(coarse_->first().r));
      coarse_->cycle();
      interpolate(coarse_->first(), finest_, threads_);
      subtract(finest_, threads_, *rows_);
      relax(finest_, steps_, false, false, threads_, *rows_);
    }
    give(finest_, norm, z, threads_);
  }

  [[nodiscard]] double bytes() const override { return finest_.bytes() + (coarse_ ? coarse_->bytes() : 0); }

 private:
  /// As coarsen() of one process. Aggregates count over all ranks, those of the first one first.
  void coarsen_shared(const MeshPart& part, const Free& free, const Sharing& how) {
    Aggregated<components> nodes;
    std::vector<std::int64_t> counts;
    ranks_.together([&] {
      const auto own = static_cast<std::size_t>(components * part.own);
      const auto motions = motions_of(part.mesh.coordinates.first(own), part.motions, free);
      nodes = aggregated(finest_.matrix, motions, threads_);
      counts = {nodes.aggregates.count};
    });
    counts = ranks_.gather(std::span<const std::int64_t>(counts));
    std::int64_t before = 0, all = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      if (static_cast<int>(rank) < ranks_.rank()) before += counts[rank];
      all += counts[rank];
    }
    if (all == 0) return;  // each node's own block is enough
    ranks_.together([&] {
      for (std::int32_t& aggregate : nodes.aggregates.of) {
        if (aggregate != Aggregates::none) aggregate += static_cast<std::int32_t>(before);
      }
      nodes.aggregates.count = all;
      nodes.aggregates.of.resize(part.numbers.size());
      nodes.columns.resize(part.numbers.size());
    });
    exchange_->fetch(nodes.aggregates.of);
    exchange_->fetch(nodes.columns);
    BlockMatrix<float, components, rigid_motions> known;
    ranks_.together([&] {
      finest_.up = interpolation(finest_, nodes, threads_, how.go_on);
      finest_.down = transpose(finest_.up.pattern);
    });
    known = with_rows_of_copies(finest_.up, part.all(), *exchange_);
    BlockMatrix<float, rigid_motions, rigid_motions> own;
    ranks_.together([&] {
      own = coarser_matrix(finest_.up, finest_.down, product(finest_.matrix, known, threads_, how.go_on), threads_,
                           how.go_on);
    });
    known = {};
    Stage<rigid_motions> next;
    next.matrix = sum_of_matrices(std::move(own), threads_, how.go_on, ranks_);
    Motions<rigid_motions> coarse =
        ranks_.gather(std::span<const Block<float, rigid_motions, rigid_motions>>(nodes.coarse));
    ranks_.together([&] { coarse_.emplace(std::move(next), std::move(coarse), threads_, how.go_on); });
  }

  const Communicator& ranks_;
  int threads_, steps_;
  std::optional<NodeExchange> exchange_;
  std::optional<SharedRows> rows_;
  Stage<components> finest_;
  std::optional<CoarseStages> coarse_;  // whole on every rank
};

}  // namespace

std::unique_ptr<ApproximateInverse> shared_aggregation(MeshMatrix<float> matrix, const Free& free, bool coarser,
                                                       const MeshPart& part, const Sharing& how) {
  return std::make_unique<SharedAggregation>(std::move(matrix), free, coarser, part, how);
}

}  // namespace rooftop::elasticity
