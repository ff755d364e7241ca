/// No matrix, and no dictionary: the stiffness is a sum of products of one-dimensional matrices, applied one after the
/// other, as the solver does it. This rung uses that elements are boxes of one material.
/// Changed from 85-dictionary: 88 multiply-adds a node, not 297, and for whole vectors at the boundary too.
/// Limit attacked: the core, four times as long as the memory takes for the vectors. Evidence: the time of the product
/// falls below that of the sums of vectors. Source: Orszag, Spectral methods for problems in complex geometries, 1980;
/// Kronbichler and Kormann, A generic interface for parallel cell-based finite element operator application, 2012.
// needs: rooftop_elasticity
#include "field_steps.hpp"

namespace {

using elasticity::Index;
namespace solver = rooftop::elasticity;

std::unique_ptr<solver::Operator<double>> matrix_of(const elasticity::Problem& problem) {
  solver::AlignedBox box{elasticity::grid_of(problem.mesh), {}, solver::material(1, 0.3)};
  const std::array<Index, 3> nodes{problem.mesh.nx, problem.mesh.ny, problem.mesh.nz};
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    for (Index i = 0; i < nodes[d]; ++i) box.at[d].push_back(static_cast<double>(i));
  }
  return std::make_unique<solver::TensorOperator<double>>(box, problem.threads);
}

class SumFactorization : public elasticity::FieldSteps {
 public:
  explicit SumFactorization(const elasticity::Problem& problem) : FieldSteps(problem, matrix_of(problem)) {}

 private:
  /// Away from the boundary: products with three coefficients, 6 along z, 11 along y, 9 along x, and 10 with the
  /// material. One-dimensional matrices of shape functions and their slopes are differences, 3 along z and 4 along y.
  [[nodiscard]] double matrix_flops() const override {
    return 2.0 * (3 * (6 + 11 + 9) + 10) * static_cast<double>(problem().mesh.nodes());
  }
  [[nodiscard]] double matrix_adds() const override {
    return (3.0 + 4.0) * static_cast<double>(problem().mesh.nodes());
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, SumFactorization);
