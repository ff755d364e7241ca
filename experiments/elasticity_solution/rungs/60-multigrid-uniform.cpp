/// Multigrid that is told that all elements are the same cube, and keeps no matrix.
/// Changed from 50-multigrid: coordinates are not given. Uses that the mesh is uniform, which 50-multigrid finds out
/// where it is so; the difference to it is what that takes.
/// Limit attacked: assembling a matrix, and the bytes that each product with it moves.
/// Evidence: against a distorted mesh, hardly any set-up, and iterations in the time of a few passes over vectors.
/// Source: Vos, Sherwin and Kirby, From h to p efficiently, J. Comput. Phys. 229 (2010), on sum factorization.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class UniformMultigrid : public elasticity_solution::SolutionByLibrary {
 public:
  explicit UniformMultigrid(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::multigrid, elasticity_solution::Given::cubes) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, UniformMultigrid);
