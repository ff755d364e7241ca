/// PETSc's multigrid by smoothed aggregation, PCGAMG, with the six rigid-body modes and blocks of three.
/// Its defaults are what its manual advises for elasticity once blocks and modes are given: one smoothing of
/// prolongation, the graph squared on the finest level, Chebyshev's iteration with Jacobi's. A third smoothing step,
/// thresholds of 0 to 0.05 and other numbers of squared levels were slower; Gauss and Seidel's smoothing meets coarse
/// matrices with a zero on the diagonal. PCGAMG takes no MATBAIJ.
/// Source: PETSc 3.18, manual pages PCGAMG and MatNullSpaceCreateRigidBody, and the tutorial ex56.
// needs: PETSc, MPI
#include "petsc_solution.hpp"

namespace {

class Aggregation : public elasticity_solution::PetscSolution {
 public:
  explicit Aggregation(const elasticity_solution::Problem& problem)
      : PetscSolution(problem, MATAIJ, "-pc_type gamg", 4400) {}

 private:
  void set_operators(KSP solver) override { assemble(solver, Modes::rigid_body); }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Aggregation);
