/// Conjugate gradients with one loop for each operation on vectors; rungs differ in the product with the matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>

#include "assembly.hpp"

namespace elasticity {

/// Hestenes and Stiefel 1952, without a preconditioner. Loops are shared by `threads` threads in equal parts.
class ConjugateGradients : public rooftop::Rung {
 public:
  void run() override {
    const Problem& p = problem_;
    double *u = p.displacement, *r = residual_.data(), *d = direction_.data(), *q = product_.data();
    double squares = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : squares)
    for (Index i = 0; i < size_; ++i) {
      u[i] = 0;
      r[i] = d[i] = p.load[i];
      squares += r[i] * r[i];
    }
    const double loaded = squares;
    p.residuals[0] = 1;
    for (int step = 1; step <= p.iterations; ++step) {
      multiply(d, q);
      const double alpha = squares / dot(d, q);
      add(alpha, d, u);
      add(-alpha, q, r);
      const double before = squares;
      squares = dot(r, r);
      const double beta = squares / before;
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (Index i = 0; i < size_; ++i) d[i] = r[i] + beta * d[i];
      p.residuals[step] = std::sqrt(squares / loaded);
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(size_);
    const auto blocks = static_cast<double>(block_count(problem_.mesh));
    // Products d·q and r·r, and three sums: 10 flops a value. Each loop reads, or reads and writes, what it names.
    constexpr double vectors_moved = 1 + 1 + 2 + 3 + 3 + 1 + 3;
    return {.fma_flops = problem_.iterations * (2 * block_values * blocks + 10 * n),
            .add_flops = 0,
            .memory_bytes = problem_.iterations * (matrix_bytes() + vectors_moved * sizeof(double) * n),
            .working_set_bytes = matrix_bytes() + 5 * sizeof(double) * n,  // the load, too
            .algorithm = "conjugate gradients"};
  }

 protected:
  ConjugateGradients(const Problem& problem, int threads)
      : problem_(problem),
        threads_(threads),
        size_(components * problem.mesh.nodes()),
        residual_(static_cast<std::size_t>(size_)),
        direction_(static_cast<std::size_t>(size_)),
        product_(static_cast<std::size_t>(size_)) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }

  /// y = A x
  virtual void multiply(const double* x, double* y) = 0;
  /// Of the matrix, with its indices.
  [[nodiscard]] virtual double matrix_bytes() const = 0;

 private:
  [[nodiscard]] double dot(const double* a, const double* b) const {
    double sum = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sum)
    for (Index i = 0; i < size_; ++i) sum += a[i] * b[i];
    return sum;
  }

  /// y += factor x
  void add(double factor, const double* x, double* y) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index i = 0; i < size_; ++i) y[i] += factor * x[i];
  }

  const Problem& problem_;
  int threads_;
  Index size_;
  rooftop::AlignedArray<double> residual_, direction_, product_;
};

}  // namespace elasticity
