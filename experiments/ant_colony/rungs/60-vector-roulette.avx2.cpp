/// The choice among 16 candidates in two vectors: put together, masked, summed up and compared in registers.
/// Changed from 50-candidate-lists: whether candidates are left is read from a table of bytes, the sums of 1, 2, …
/// 16 choices take four additions, and the first that exceeds what was drawn is the lowest bit of a comparison. Limit
/// attacked: 16 branches that nobody can foretell, and a sum of 16 additions that wait for one another. Evidence: a
/// step takes a fraction of the scalar one's time, the same whatever is drawn. Source: prefix sums by shifts, W. D.
/// Hillis, G. L. Steele, "Data parallel algorithms", 1986.
#include "candidate_months.hpp"
#include "vector_walk.hpp"

namespace {

class VectorRoulette : public ants::CandidateMonths<ants::VectorWalk<1, false>, ants::AsBuilt> {
 public:
  explicit VectorRoulette(const ants::Problem& problem) : CandidateMonths(problem) {}
  [[nodiscard]] rooftop::Work work() const override { return construction_work(); }
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, VectorRoulette);
