#include "aggregation.hpp"

#include <optional>
#include <utility>

#include "coarse_stages.hpp"
#include "coarser_stage.hpp"
#include "smoothing.hpp"

namespace rooftop::elasticity {
namespace {

class Aggregation : public ApproximateInverse {
 public:
  Aggregation(BlockMatrix<float, components, components> matrix, const Motions<components>& motions, bool coarser,
              int threads, const GoOn& go_on)
      : threads_(threads), steps_(coarser ? smoothing_steps : polynomial_steps) {
    finest_.matrix = std::move(matrix);
    set_up(finest_, threads, go_on);
    if (!coarser || !go_on()) return;
    if (finest_.rows() * components <= fewest_unknowns) {
      direct_ = factored(finest_);
    } else {
      auto [next, coarse] = coarsen(finest_, motions, threads, go_on);
      coarse_.emplace(std::move(next), std::move(coarse), threads, go_on);
    }
  }

  void apply(const Field<double>& r, double norm, Field<double>& z) override {
    take(r, norm, finest_, threads_);
    cycle();
    give(finest_, norm, z, threads_);
  }

  [[nodiscard]] double bytes() const override { return finest_.bytes() + (coarse_ ? coarse_->bytes() : 0); }

 private:
  void cycle() {
    if (direct_) return direct_->solve(finest_.r, finest_.x);
    relax(finest_, steps_, true, coarse_.has_value(), threads_, Alone());
    if (!coarse_) return;
    restrict_residual(finest_, coarse_->first(), threads_);
    coarse_->cycle();
    interpolate(coarse_->first(), finest_, threads_);
    subtract(finest_, threads_, Alone());
    relax(finest_, steps_, false, false, threads_, Alone());
  }

  int threads_, steps_;
  Stage<components> finest_;
  std::optional<Cholesky> direct_;  // of few nodes
  std::optional<CoarseStages> coarse_;
};

}  // namespace

std::unique_ptr<ApproximateInverse> smoothed_aggregation(BlockMatrix<float, components, components> matrix,
                                                         const Motions<components>& motions, bool coarser, int threads,
                                                         const GoOn& go_on) {
  return std::make_unique<Aggregation>(std::move(matrix), motions, coarser, threads, go_on);
}

}  // namespace rooftop::elasticity
