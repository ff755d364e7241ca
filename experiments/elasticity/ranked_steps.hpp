/// Conjugate gradients on ranks of MPI: each has a box of nodes, and rows of blocks for it.
#pragma once

#include <cmath>
#include <cstddef>
#include <rooftop/aligned.hpp>

#include "ranked_rows.hpp"

namespace elasticity {

/// The steps of ConjugateGradients, each loop shared by a rank's threads. Rungs differ in when they exchange what a
/// product needs of other ranks, and in which threads do which rows meanwhile.
class RankedSteps : public RankedRows {
 public:
  void run() override {
    const Problem& p = problem();
    double *u = displacement(), *r = residual_.data(), *d = direction_.data(), *q = product_.data();
    const Index size = components * share().own();
    double squares = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : squares)
    for (Index i = 0; i < size; ++i) {
      u[i] = 0;
      r[i] = d[i] = load()[i];
      squares += r[i] * r[i];
    }
    squares = sum(squares);
    const double loaded = squares;
    residuals()[0] = 1;
    for (std::size_t step = 1; step < residuals().size(); ++step) {
      multiply(d, q);
      double both = 0, next = 0;
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : both)
      for (Index i = 0; i < size; ++i) both += d[i] * q[i];
      const double alpha = squares / sum(both);
#pragma omp parallel for num_threads(p.threads) schedule(static) reduction(+ : next)
      for (Index i = 0; i < size; ++i) {
        u[i] += alpha * d[i];
        r[i] -= alpha * q[i];
        next += r[i] * r[i];
      }
      next = sum(next);
      const double beta = next / squares;
      squares = next;
#pragma omp parallel for num_threads(p.threads) schedule(static)
      for (Index i = 0; i < size; ++i) d[i] = r[i] + beta * d[i];
      residuals()[step] = std::sqrt(squares / loaded);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem().mesh.nodes());
    const auto blocks = static_cast<double>(block_count(problem().mesh));
    return {.fma_flops = problem().iterations * (2 * block_values * blocks + 10 * n),
            .add_flops = 0,
            .memory_bytes = problem().iterations * (matrix_bytes() + 12 * sizeof(double) * n),
            .working_set_bytes = matrix_bytes() + kept_bytes() + 3 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 protected:
  RankedSteps(const Problem& problem, Order order)
      : RankedRows(problem, order),
        residual_(values_of(share().own())),
        product_(values_of(share().own())),
        direction_(values_of(share().all())) {}

  /// y = A x in own rows; exchanges what lies behind own values in x.
  virtual void multiply(double* x, double* y) = 0;

 private:
  rooftop::AlignedArray<double> residual_, product_, direction_;
};

}  // namespace elasticity
