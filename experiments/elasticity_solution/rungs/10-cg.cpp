/// The solver's conjugate gradients without a preconditioner.
/// Where edges are parallel to the axes and the material is one, the solver finds that out and keeps no matrix.
/// Evidence: iterations grow with the nodes in a direction, and the set-up, the matrix at most, is a small part.
/// Source: Hestenes and Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
// needs: rooftop_elasticity
#include "solution_by_library.hpp"

namespace {

class Plain : public elasticity_solution::SolutionByLibrary {
 public:
  explicit Plain(const elasticity_solution::Problem& problem)
      : SolutionByLibrary(problem, rooftop::elasticity::Preconditioner::none) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Plain);
