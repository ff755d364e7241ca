/// Ranks of MPI, each with a box of nodes and copies of those around it, which are exchanged before each product.
/// Changed from 32-first-touch: who has what. Nothing is computed while values are on their way.
/// Limit attacked: one machine's memory.
/// Evidence: as threads on one machine; between machines, the time of messages comes on top of the product's.
/// Source: the lecture's first program, which the README names.
// needs: MPI
#include "ranked_steps.hpp"

namespace {

using elasticity::Index;

class Ranks : public elasticity::RankedSteps {
 public:
  explicit Ranks(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::as_in_mesh) {}

 private:
  void multiply(double* x, double* y) override {
    begin_exchange(x);
    end_exchange();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().own(); ++row) multiply_row(row, x, y);
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Ranks);
