/// Each process goes through its months without waiting for the others, whose best it does not need.
/// Changed from 65-locality: a thread goes on with the process that has fallen behind furthest, for a few of its
/// months, and the solutions are compared once, at the end. Limit attacked: threads wait at every month's end for the
/// slowest, most of all where the machine is others' too; and a month each of several processes in turn puts their
/// pheromones out of the L2 cache. Evidence: waiting_ns falls to nothing, and a second thread brings nearly as much as
/// the first. Source: dynamic scheduling; bulk-synchronous steps made asynchronous, as in D. P. Bertsekas, J. N.
/// Tsitsiklis, "Parallel and Distributed Computation", 1989.
#include "candidate_months.hpp"
#include "vector_walk.hpp"

namespace {

class AsynchronousMonths : public ants::CandidateMonths<ants::VectorWalk<8, true>, ants::AsBuilt> {
 public:
  explicit AsynchronousMonths(const ants::Problem& problem) : CandidateMonths(problem, true, false) {}
  [[nodiscard]] rooftop::Work work() const override { return construction_work(); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, AsynchronousMonths);
