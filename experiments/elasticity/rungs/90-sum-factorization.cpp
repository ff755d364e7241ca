/// No matrix, and no dictionary: the stiffness is a sum of products of one-dimensional matrices, applied one after the
/// other, as the solver does it. This rung uses that elements are boxes of one material.
/// Changed from 85-dictionary: 88 multiply-adds a node, not 297, and for whole vectors at the boundary too.
/// Limit attacked: the core, four times as long as the memory takes for the vectors. Evidence: the time of the product
/// falls below that of the sums of vectors. Source: Orszag, Spectral methods for problems in complex geometries, 1980;
/// Kronbichler and Kormann, A generic interface for parallel cell-based finite element operator application, 2012.
// needs: rooftop_elasticity
#include "tensor_steps.hpp"

namespace {

class SumFactorization : public elasticity::TensorSteps {
 public:
  explicit SumFactorization(const elasticity::Problem& problem) : TensorSteps(problem) {}
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, SumFactorization);
