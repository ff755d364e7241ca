/// PETSc's conjugate gradients without a preconditioner, on half of the matrix.
/// Source: PETSc 3.18, manual page MATSBAIJ.
// needs: PETSc, MPI
#include "petsc_solution.hpp"

namespace {

class HalfOfTheMatrix : public elasticity_solution::PetscSolution {
 public:
  explicit HalfOfTheMatrix(const elasticity_solution::Problem& problem)
      : PetscSolution(problem, MATSBAIJ, "-pc_type none", 3000) {}

 private:
  void set_operators(KSP solver) override { assemble(solver, Modes::none); }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, HalfOfTheMatrix);
