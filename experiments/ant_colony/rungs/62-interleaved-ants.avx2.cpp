/// Four ants take a step each in turn: while one waits for its candidates, the processor works on the others'.
/// Changed from 60-vector-roulette: the order of the same steps. Each ant still finds the same tour.
/// Limit attacked: the latency of a chain of loads, bytes put together, sums, a comparison, a load: some 60 to 80
/// cycles a step, in which the units stand idle. What comes next is how many operations the processor has in flight.
/// Evidence: a step takes less time on one thread; with two hardware threads a core the gain is smaller.
/// Source: software interleaving, as for joins in databases (S. Chen and others, 2007: group prefetching).
#include "candidate_months.hpp"
#include "vector_walk.hpp"

namespace {

class InterleavedAnts : public ants::CandidateMonths<ants::VectorWalk<4, false>, ants::AsBuilt> {
 public:
  explicit InterleavedAnts(const ants::Problem& problem) : CandidateMonths(problem) {}
  [[nodiscard]] rooftop::Work work() const override { return construction_work(); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, InterleavedAnts);
