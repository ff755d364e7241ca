/// The solver is told the elements one by one, as of a mesh that is no box: preconditioned by smoothed aggregation.
/// Changed from 30-chebyshev: nodes that hang together strongly become one, which moves as a rigid body.
/// Limit attacked: the number of iterations, on meshes that have no coarser ones. Evidence: against PETSc's GAMG, which
/// does the same; and against 50-multigrid, which knows that the mesh is a box.
/// Source: Vanek, Mandel and Brezina, Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
/// problems, 1996.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

using elasticity_solution::Given;

class Aggregation : public elasticity_solution::SolutionByLibrary {
 public:
  explicit Aggregation(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::multigrid, Given::elements) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Aggregation);
