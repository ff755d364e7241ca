/// Preconditioned by a polynomial in the matrix, Chebyshev's.
/// Changed from 20-block-jacobi: several products in an iteration, and no sums between them.
/// Limit attacked: sums over all values, at which all threads meet, and vectors that are moved beside the matrix.
/// Evidence: fewer iterations by about the polynomial's degree, as many products.
/// Source: Saad, Iterative Methods for Sparse Linear Systems, 2003, 12.3.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class Chebyshev : public elasticity_solution::SolutionByLibrary {
 public:
  explicit Chebyshev(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::chebyshev) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Chebyshev);
