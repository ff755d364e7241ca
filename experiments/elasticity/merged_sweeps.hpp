/// Conjugate gradients in three sweeps over the vectors, all steps in one team of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "assembly.hpp"

namespace elasticity {

/// A thread's part of the nodes.
struct Part {
  int thread;
  Index begin, end;
};

/// The steps of ConjugateGradients, whose loops on vectors are joined to three: the product with d·q, the new residual
/// with r·r, and both sums of directions. Each thread sums up its part, then all add the parts in the same order, so
/// that all have the same numbers and go on without waiting for one of them.
class MergedSweeps : public rooftop::Rung {
 public:
  void prepare() override {
#pragma omp parallel num_threads(problem_.threads)
    fill(part());
  }

  void run() override {
    const Problem& p = problem_;
    double *u = p.displacement, *r = residual_.data(), *d = direction_.data() + margin, *q = product_.data();
#pragma omp parallel num_threads(p.threads)
    {
      const Part here = part();
      const Index begin = components * here.begin, end = components * here.end;
      double squares = 0;
      for (Index i = begin; i < end; ++i) {
        u[i] = 0;
        r[i] = d[i] = p.load[i];
        squares += r[i] * r[i];
      }
      squares = total(here, 0, squares);
      const double loaded = squares;
      if (here.thread == 0) p.residuals[0] = 1;
      for (int step = 1; step <= p.iterations; ++step) {
        const double alpha = squares / total(here, 1, multiply(here, d, q));
        double next = 0;
        for (Index i = begin; i < end; ++i) {
          r[i] -= alpha * q[i];
          next += r[i] * r[i];
        }
        next = total(here, 0, next);
        const double beta = next / squares;
        squares = next;
        for (Index i = begin; i < end; ++i) {
          u[i] += alpha * d[i];
          d[i] = r[i] + beta * d[i];
        }
        if (here.thread == 0) p.residuals[step] = std::sqrt(squares / loaded);
#pragma omp barrier
      }
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem_.mesh.nodes());
    const double vectors_moved = 2 + 3 + 5 + vectors_moved_besides();  // of the three sweeps
    return {.fma_flops = problem_.iterations * (matrix_flops() + 10 * n),
            .add_flops = 0,
            .memory_bytes = problem_.iterations * (matrix_bytes() + vectors_moved * sizeof(double) * n),
            .working_set_bytes = matrix_bytes() + 5 * sizeof(double) * n,  // the load, too
            .algorithm = "conjugate gradients"};
  }

 protected:
  static constexpr Index margin = 8;

  /// A part has a multiple of `grain` nodes, but for the last one.
  MergedSweeps(const Problem& problem, Index grain)
      : problem_(problem),
        grain_(grain),
        residual_(size()),
        direction_(size() + 2 * margin),
        product_(size()),
        sums_(static_cast<std::size_t>(2 * line * problem.threads)) {
    std::fill_n(direction_.data(), margin, 0.0);
    std::fill_n(direction_.end() - margin, margin, 0.0);
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }

  /// Writes the matrix of a part, by the thread that will read it. Called by all threads at once.
  virtual void fill(const Part& part) = 0;
  /// y = A x in a part; returns x·y there. Called by all threads at once. x is complete, with a margin of zeros before
  /// and behind it; y is not asked for elsewhere.
  virtual double multiply(const Part& part, const double* x, double* y) = 0;
  /// Of the matrix, with its indices, in one product.
  [[nodiscard]] virtual double matrix_bytes() const = 0;
  [[nodiscard]] virtual double matrix_flops() const {
    return 2.0 * block_values * static_cast<double>(block_count(problem_.mesh));
  }
  /// How many vectors a product moves more than x and y.
  [[nodiscard]] virtual double vectors_moved_besides() const { return 0; }

  /// The part of a thread in a team.
  [[nodiscard]] Part part_of(Index thread, Index team) const {
    const Index grains = (problem_.mesh.nodes() + grain_ - 1) / grain_;
    return {static_cast<int>(thread), std::min(grains * thread / team * grain_, problem_.mesh.nodes()),
            std::min(grains * (thread + 1) / team * grain_, problem_.mesh.nodes())};
  }

 private:
  static constexpr Index line = 8;  // doubles: no two threads write to one cache line

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(components * problem_.mesh.nodes()); }
  [[nodiscard]] Part part() const { return part_of(omp_get_thread_num(), omp_get_num_threads()); }

  /// The sum of what all threads have. `which` alternates between calls, so that one barrier is enough for each.
  double total(const Part& here, Index which, double own) {
    double* sums = sums_.data() + which * line * problem_.threads;
    sums[line * here.thread] = own;
#pragma omp barrier
    double sum = 0;
    for (Index thread = 0; thread < omp_get_num_threads(); ++thread) sum += sums[line * thread];
    return sum;
  }

  const Problem& problem_;
  Index grain_;
  rooftop::AlignedArray<double> residual_, direction_, product_;
  std::vector<double> sums_;
};

}  // namespace elasticity
