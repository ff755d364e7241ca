/// Interior nodes are numbered first, so that the rows which need nothing from others are one loop without a test.
/// Changed from 36-overlap-by-flag: the nodes' numbers.
/// Limit attacked: the time of messages.
/// Evidence: gains what messages take, if the MPI library moves them meanwhile; the lecture found hardly anything.
/// Source: the lecture's second program.
// needs: MPI
#include "ranked_steps.hpp"

namespace {

using elasticity::Index;

class Overlap : public elasticity::RankedSteps {
 public:
  explicit Overlap(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::interior_first) {}

 private:
  void multiply(double* x, double* y) override {
    begin_exchange(x);
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
    end_exchange();
#pragma omp parallel for num_threads(problem().threads) schedule(static)
    for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Overlap);
