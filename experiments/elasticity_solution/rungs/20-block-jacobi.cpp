/// Preconditioned by the inverses of the diagonal's 3 x 3 blocks.
/// Changed from 10-cg: residuals are scaled by the stiffness around each node. The set-up is as cheap.
/// Limit attacked: iterations that differing stiffness costs.
/// Evidence: few iterations less on cubes, many less where edges are graded or the material jumps; the growth stays.
/// Source: Saad, Iterative Methods for Sparse Linear Systems, 2003, 10.2.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class BlockJacobi : public elasticity_solution::SolutionByLibrary {
 public:
  explicit BlockJacobi(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::block_jacobi) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, BlockJacobi);
