/// Every ant's tour is made shorter by 2-opt and Or-opt before it is compared and leaves pheromones.
/// Changed from 67-asynchronous-months: exchanges of two edges, and moves of one to three cities, among ten candidates,
/// with don't-look bits and a tour in an array. Limit attacked: the tours' quality, which more ants improve but slowly.
/// Tours a second fall; a tour is worth far more. Evidence: the excess over the bound falls from tens of per cent to a
/// few. Source: J. L. Bentley, "Fast algorithms for geometric traveling salesman problems", 1992; T. Stuetzle, H. H.
/// Hoos, "MAX-MIN ant system", 2000, for ants with local search.
#include "candidate_months.hpp"
#include "edge_exchanges.hpp"
#include "vector_walk.hpp"

namespace {

class LocalSearch : public ants::CandidateMonths<ants::VectorWalk<4, true>, ants::EdgeExchanges> {
 public:
  explicit LocalSearch(const ants::Problem& problem) : CandidateMonths(problem, true, false) {}
  // A city is looked at some three times, each time with some five candidates at three distances of 5 flops, 16 bytes.
  [[nodiscard]] rooftop::Work work() const override { return improvement_work("local search"); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, LocalSearch);
