/// Rows that need nothing from others while values are on their way; both loops go over all rows and test which.
/// Changed from 34-ranks: two loops for one. Nodes keep the mesh's order.
/// Limit attacked: the time of messages.
/// Evidence: it costs, if messages take less than the test of every row in two loops.
/// Source: the lecture's variant without reordering.
// needs: MPI
#include "ranked_steps.hpp"

namespace {

using elasticity::Index;

class OverlapByFlag : public elasticity::RankedSteps {
 public:
  explicit OverlapByFlag(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::as_in_mesh) {}

 private:
  void multiply(double* x, double* y) override {
    begin_exchange(x);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().own(); ++row) {
      if (!boundary(row)) multiply_row(row, x, y);
    }
    end_exchange();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().own(); ++row) {
      if (boundary(row)) multiply_row(row, x, y);
    }
  }

  [[nodiscard]] bool boundary(Index row) const {
    return share().at_boundary(share().places()[static_cast<std::size_t>(row)]);
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, OverlapByFlag);
