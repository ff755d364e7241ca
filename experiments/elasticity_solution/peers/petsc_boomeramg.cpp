/// hypre's BoomerAMG through PETSc: classical multigrid for systems, each component interpolated from its own.
/// HMIS and extended interpolation with four entries a row are what hypre's manual advises in three dimensions; blocks
/// of three tell it the components. Nodal coarsening, interpolation of the rotations, thresholds of 0.25 and 0.6 to
/// 0.9, and other smoothers were slower or as fast.
/// Source: hypre 2.26, user's manual, BoomerAMG; Baker, Kolev and Yang, Improving algebraic multigrid interpolation
/// operators for linear elasticity problems, Numer. Linear Algebra Appl. 17 (2010).
// needs: PETSc, MPI
#include "petsc_solution.hpp"

namespace {

class BoomerAmg : public elasticity_solution::PetscSolution {
 public:
  explicit BoomerAmg(const elasticity_solution::Problem& problem)
      : PetscSolution(problem, MATAIJ,
                      "-pc_type hypre -pc_hypre_type boomeramg -pc_hypre_boomeramg_strong_threshold 0.5"
                      " -pc_hypre_boomeramg_coarsen_type HMIS -pc_hypre_boomeramg_interp_type ext+i"
                      " -pc_hypre_boomeramg_P_max 4",
                      9200) {}

 private:
  void set_operators(KSP solver) override { assemble(solver, Modes::none); }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, BoomerAmg);
