/// Multigrid that knows that all elements are cubes: nothing is assembled on the finest mesh.
/// Changed from 50-multigrid: the mesh's coordinates are not given. Uses that the mesh is uniform.
/// Limit attacked: assembling a matrix, and the bytes that each product with it moves.
/// Evidence: the same iterations, with hardly any set-up, each in the time of a few passes over vectors.
/// Source: the rung 80-dictionary of the experiment elasticity.
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
