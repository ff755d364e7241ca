/// All blocks of a row side by side in one array, and a row's three sums in registers.
/// Changed from 10-rows: one stream of values and one of indices instead of five, and no store until a row is done.
/// Limit attacked: the core's own work: loads and stores of sums, and loops of few turns.
/// Evidence: bytes are the same; what is gained was not the memory's.
/// Source: blocked compressed rows, as PETSc's BAIJ; Saad, Iterative Methods for Sparse Linear Systems, 2003, 3.4.
#include "block_rows.hpp"
#include "conjugate_gradients.hpp"

namespace {

class OneArray : public elasticity::ConjugateGradients {
 public:
  explicit OneArray(const elasticity::Problem& problem) : ConjugateGradients(problem, 1), matrix_(problem) {
    matrix_.fill(problem, 0, problem.mesh.nodes());
  }

 private:
  void multiply(const double* x, double* y) override { matrix_.multiply(x, y, 0, problem().mesh.nodes()); }
  [[nodiscard]] double matrix_bytes() const override { return matrix_.bytes(); }

  elasticity::BlockRows matrix_;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, OneArray);
