/// PETSc's conjugate gradients with a matrix of type MATSBAIJ.
/// Rows of 3 x 3 blocks from the diagonal on: the storage of 60-symmetric.
// needs: PETSc, MPI
#include "petsc_steps.hpp"

namespace {

class Sbaij : public elasticity::PetscSteps {
 public:
  explicit Sbaij(const elasticity::Problem& problem) : PetscSteps(problem, MATSBAIJ, true) {}

 private:
  [[nodiscard]] double matrix_bytes() const override {
    return static_cast<double>(elasticity::block_count(problem().mesh) + problem().mesh.nodes()) / 2 *
           (elasticity::block_values * sizeof(double) + sizeof(PetscInt));
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Sbaij);
