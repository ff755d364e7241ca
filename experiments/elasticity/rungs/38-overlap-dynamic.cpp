/// The master thread communicates while the others begin with interior rows in chunks; it joins them when it is done.
/// Changed from 37-overlap: who waits for messages, and dynamic chunks.
/// Limit attacked: messages that no library moves while all threads compute, and threads that wait for a slower one.
/// Evidence: against 35-dynamic, which has the same chunks without overlap.
/// Source: the lecture's third program; Idomura and others, Communication-overlap techniques for improved strong
/// scaling of gyrokinetic Eulerian code beyond 100k cores on the K-computer, 2014.
// needs: MPI
#include "ranked_steps.hpp"
#include "scheduled.hpp"

namespace {

using elasticity::Index, elasticity::Scheduled;

class OverlapDynamic : public elasticity::RankedSteps {
 public:
  explicit OverlapDynamic(const elasticity::Problem& problem)
      : RankedSteps(problem, elasticity::Order::interior_first) {}

 private:
  void multiply(double* x, double* y) override {
    const Scheduled scheduled(problem());
#pragma omp parallel num_threads(problem().threads)
    {
#pragma omp master
      {
        begin_exchange(x);
        end_exchange();
      }
#pragma omp for schedule(runtime)
      for (Index row = 0; row < share().interior(); ++row) multiply_row(row, x, y);
        // The loop's end waits for the master, hence for what boundary rows need.
#pragma omp for schedule(static)
      for (Index row = share().interior(); row < share().own(); ++row) multiply_row(row, x, y);
    }
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, OverlapDynamic);
