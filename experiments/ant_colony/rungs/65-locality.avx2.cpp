/// Cities are numbered along Hilbert's curve, and the rows of an ant's next city are fetched before its turn comes.
/// Changed from 62-interleaved-ants: neighbours on the ground are neighbours in memory: their rows share pages, their
/// bytes cache lines; and eight ants take turns, so that rows have twice as long to come. Limit attacked: misses of the
/// L1 cache and the TLB, which grow with the cities. Evidence: little at a hundred cities, where everything is in the
/// L1 cache; most where 128 bytes a city exceed the L2. Source: D. Hilbert, 1891; J. Mellor-Crummey, D. Whalley, K.
/// Kennedy, "Improving memory hierarchy performance for irregular applications", 2001.
#include "candidate_months.hpp"
#include "vector_walk.hpp"

namespace {

class Locality : public ants::CandidateMonths<ants::VectorWalk<8, true>, ants::AsBuilt> {
 public:
  explicit Locality(const ants::Problem& problem) : CandidateMonths(problem, true) {}
  [[nodiscard]] rooftop::Work work() const override { return construction_work(); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, Locality);
