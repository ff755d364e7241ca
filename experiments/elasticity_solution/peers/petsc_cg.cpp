/// PETSc's conjugate gradients with its default preconditioner: on each rank, an incomplete Cholesky factor.
/// Of none, the blocks of the diagonal (pbjacobi) and this, with MATAIJ, MATBAIJ and MATSBAIJ, it was the fastest.
/// Of a plate's flat elements that factor is indefinite (DIVERGED_INDEFINITE_PC), shifted or with more levels, too.
/// Source: PETSc 3.18, manual pages PCBJACOBI and PCICC.
// needs: PETSc, MPI
#include "petsc_solution.hpp"

namespace {

class IncompleteCholesky : public elasticity_solution::PetscSolution {
 public:
  explicit IncompleteCholesky(const elasticity_solution::Problem& problem)
      : PetscSolution(problem, MATBAIJ, "-pc_type bjacobi -sub_pc_type icc", 4000) {
    if (problem.kind == elasticity_solution::Kind::plate) {
      throw rooftop::Skip("an incomplete Cholesky factor of a plate's flat elements is not positive definite");
    }
  }

 private:
  void set_operators(KSP solver) override { assemble(solver, Modes::none); }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, IncompleteCholesky);
