/// Preconditioned by geometric multigrid: coarser boxes, in which short elements are joined first.
/// Changed from 30-chebyshev: smooth displacements, which a polynomial reduces slowly, are solved for on coarser ones.
/// Limit attacked: the number of iterations, which no longer grows with the mesh.
/// Evidence: as many iterations at 20 as at 160 nodes in a direction; the set-up becomes a large part of the time.
/// Source: Trottenberg, Oosterlee and Schueller, Multigrid, 2001, chapters 2 and 7.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class Multigrid : public elasticity_solution::SolutionByLibrary {
 public:
  explicit Multigrid(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::multigrid) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Multigrid);
