/// Rows of blocks, each thread with an equal part of the nodes.
#pragma once

#include "block_rows.hpp"
#include "conjugate_gradients.hpp"

namespace elasticity {

/// Who writes the matrix first, and so decides on which memory node its pages lie.
enum class FirstTouch { by_one, by_each };

class ThreadedRows : public ConjugateGradients {
 public:
  ThreadedRows(const Problem& problem, FirstTouch touch)
      : ConjugateGradients(problem, problem.threads), matrix_(problem) {
    const Index nodes = problem.mesh.nodes(), parts = touch == FirstTouch::by_one ? 1 : problem.threads;
#pragma omp parallel for num_threads(problem.threads) schedule(static, 1)
    for (Index part = 0; part < parts; ++part) matrix_.fill(problem, nodes * part / parts, nodes * (part + 1) / parts);
  }

 private:
  void multiply(const double* x, double* y) override {
    const Index nodes = problem().mesh.nodes(), parts = problem().threads;
#pragma omp parallel for num_threads(problem().threads) schedule(static, 1)
    for (Index part = 0; part < parts; ++part) {
      matrix_.multiply(x, y, nodes * part / parts, nodes * (part + 1) / parts);
    }
  }
  [[nodiscard]] double matrix_bytes() const override { return matrix_.bytes(); }

  BlockRows matrix_;
};

}  // namespace elasticity
