/// The product follows a plane behind the update of directions: what it reads of them is still in the caches, and the
/// core multiplies while the memory delivers the next plane.
/// Changed from 90-sum-factorization: two passes over the vectors, not three, the first with both limits at once.
/// Limit attacked: core and memory that wait for each other. Evidence: the time falls towards the longer one's.
/// Source: Kronbichler, Sashko and Munch, Enhancing data locality of the conjugate gradient method for high-order
/// matrix-free finite-element implementations, 2022.
// needs: rooftop_elasticity
#include "tensor_steps.hpp"

namespace {

using elasticity::Index;
namespace solver = rooftop::elasticity;

class OnePass : public elasticity::TensorSteps {
 public:
  explicit OnePass(const elasticity::Problem& problem) : TensorSteps(problem) {}

 private:
  double move_and_multiply(double alpha, double beta) override {
    double dot = 0;
#pragma omp parallel num_threads(tensor().threads()) reduction(+ : dot)
    {
      const solver::Share own = solver::share_of(problem().mesh.nz);
      // Neighbours' products read the outer planes.
      const Index last = own.end - 1;
      if (own.begin < own.end) move_plane(own.begin, alpha, beta);
      if (own.begin < last) move_plane(last, alpha, beta);
#pragma omp barrier
      for (Index k = own.begin; k < own.end; ++k) {
        if (k + 1 < last) move_plane(k + 1, alpha, beta);
        dot += tensor().multiply_planes(direction(), product(), 1, false, {k, k + 1});
      }
    }
    return dot;
  }

  [[nodiscard]] double vectors_moved() const override { return 6 + 3; }
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, OnePass);
