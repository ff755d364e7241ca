/// The matrix's values in single precision, the displacement to the same tolerance.
/// Changed from 10-cg: products read half of the bytes; the residual is replaced by the true one, in double precision,
/// whenever it has fallen by a factor of 100. Limit attacked: the bytes of the matrix, four fifths of what an iteration
/// moves. Evidence: as many iterations as 10-cg, in less time, where the solver keeps a matrix.
/// Source: van der Vorst and Ye, Residual replacement strategies for Krylov subspace iterative methods for the
/// convergence of true residuals, 2000.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class SingleValues : public elasticity_solution::SolutionByLibrary {
 public:
  explicit SingleValues(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::none) {
    options().single_values = true;
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, SingleValues);
