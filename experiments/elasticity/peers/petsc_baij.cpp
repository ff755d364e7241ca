/// PETSc's conjugate gradients with a matrix of type MATBAIJ.
/// Rows of 3 x 3 blocks in one array: the storage of 20-block-rows.
// needs: PETSc, MPI
#include "petsc_steps.hpp"

namespace {

class Baij : public elasticity::PetscSteps {
 public:
  explicit Baij(const elasticity::Problem& problem) : PetscSteps(problem, MATBAIJ, false) {}

 private:
  [[nodiscard]] double matrix_bytes() const override {
    return static_cast<double>(elasticity::block_count(problem().mesh)) *
           (elasticity::block_values * sizeof(double) + sizeof(PetscInt));
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Baij);
