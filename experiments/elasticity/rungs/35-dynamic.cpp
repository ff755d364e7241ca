/// Threads take chunks of rows as they come: dynamic scheduling, and still no overlap.
/// Changed from 34-ranks: who does which row. The lecture lacks this control: what it gains is not communication
/// hidden. Limit attacked: threads that wait for a slower one. Evidence: what 38-overlap-dynamic gains over this is
/// overlap; what this gains over 34-ranks is imbalance absorbed.
// needs: MPI
#include "ranked_steps.hpp"
#include "scheduled.hpp"

namespace {

using elasticity::Index, elasticity::Scheduled;

class Dynamic : public elasticity::RankedSteps {
 public:
  explicit Dynamic(const elasticity::Problem& problem) : RankedSteps(problem, elasticity::Order::as_in_mesh) {}

 private:
  void multiply(double* x, double* y) override {
    begin_exchange(x);
    end_exchange();
    const Scheduled scheduled(problem());
#pragma omp parallel for num_threads(problem().threads) schedule(runtime)
    for (Index row = 0; row < share().own(); ++row) multiply_row(row, x, y);
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Dynamic);
