/// PETSc's conjugate gradients with a matrix of type MATSELL.
/// Slices of eight rows of numbers, which PETSc has vector code for; each number has a column of its own.
// needs: PETSc, MPI
#include "petsc_steps.hpp"

namespace {

class Sell : public elasticity::PetscSteps {
 public:
  explicit Sell(const elasticity::Problem& problem) : PetscSteps(problem, MATSELL, false) {}

 private:
  [[nodiscard]] double matrix_bytes() const override {
    return static_cast<double>(elasticity::block_count(problem().mesh)) * elasticity::block_values *
           (sizeof(double) + sizeof(PetscInt));
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Sell);
