/// Conjugate gradients on the solver's fields, which keep components apart, with its products.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <rooftop/rung.hpp>

#include "../../solvers/elasticity/src/operators.hpp"
#include "assembly.hpp"

#if defined(__clang__)
// Between a sanitizer's checks there are no vectors, and nothing is measured there.
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace elasticity {

namespace solver = rooftop::elasticity;

inline solver::Grid grid_of(const Mesh& mesh) { return {mesh.nx, mesh.ny, mesh.nz}; }

/// The three sweeps of MergedSweeps, plane by plane, with sums in the lanes of vectors: one sum for all would make each
/// value wait for the addition of the one before. A product gives d·q by itself; what it adds to held displacements is
/// taken away.
class FieldSteps : public rooftop::Rung {
 public:
  void run() override {
    const Problem& p = problem_;
    double squares = sum([&](int c, Index, Index begin, Index end) {
      double *u = u_[c], *r = r_[c], *d = d_[c], part = 0;
#pragma omp simd reduction(+ : part)
      for (Index n = begin; n < end; ++n) {
        const double load = p.load[components * n + c];
        u[n] = 0;
        r[n] = d[n] = load;
        part += load * load;
      }
      return part;
    });
    const double loaded = squares;
    p.residuals[0] = 1;
    for (int step = 1; step <= p.iterations; ++step) {
      const double alpha = squares / matrix_->multiply(d_, q_, 1, false);
      const double next = sum([&, alpha](int c, Index plane, Index begin, Index end) {
        hold(c, plane);
        double *r = r_[c], part = 0;
        const double *q = q_[c], length = alpha;
#pragma omp simd reduction(+ : part)
        for (Index n = begin; n < end; ++n) {
          r[n] -= length * q[n];
          part += r[n] * r[n];
        }
        return part;
      });
      const double beta = next / squares;
      squares = next;
      sum([&, alpha, beta](int c, Index, Index begin, Index end) {
        double *u = u_[c], *d = d_[c];
        const double *r = r_[c], length = alpha, kept = beta;
#pragma omp simd
        for (Index n = begin; n < end; ++n) {
          u[n] += length * d[n];
          d[n] = r[n] + kept * d[n];
        }
        return 0.0;
      });
      p.residuals[step] = std::sqrt(squares / loaded);
    }
  }

  void finish() override {
    for (Index n = 0; n < problem_.mesh.nodes(); ++n) {
      for (int c = 0; c < components; ++c) problem_.displacement[components * n + c] = u_[c][n];
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem_.mesh.nodes());
    constexpr double vectors_moved = 2 + 3 + 5;  // of the three sweeps
    return {.fma_flops = problem_.iterations * (matrix_flops() + 10 * n),
            .add_flops = problem_.iterations * matrix_adds(),
            .memory_bytes = problem_.iterations * (matrix_->bytes() + vectors_moved * sizeof(double) * n),
            .working_set_bytes = matrix_->bytes() + 6 * sizeof(double) * n,  // load and result, too
            .algorithm = "conjugate gradients"};
  }

 protected:
  FieldSteps(const Problem& problem, std::unique_ptr<solver::Operator<double>> matrix)
      : problem_(problem),
        matrix_(std::move(matrix)),
        u_(matrix_->grid(), problem.threads),
        r_(matrix_->grid(), problem.threads),
        d_(matrix_->grid(), problem.threads),
        q_(matrix_->grid(), problem.threads) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Of one product: flops of multiply-adds, and lone ones.
  [[nodiscard]] virtual double matrix_flops() const = 0;
  [[nodiscard]] virtual double matrix_adds() const { return 0; }

 private:
  /// The sum of what each(c, plane, begin, end) returns for nodes from `begin` to before `end`; a thread has whole
  /// planes, as in products.
  template <class Each>
  double sum(Each each) {
    double total = 0;
#pragma omp parallel num_threads(problem_.threads) reduction(+ : total)
    {
      const Mesh& mesh = problem_.mesh;
      const solver::Share own = solver::share_of(mesh.nz);
      for (Index k = own.begin; k < own.end; ++k) {
        for (int c = 0; c < components; ++c) total += each(c, k, mesh.node(0, 0, k), mesh.node(0, 0, k + 1));
      }
    }
    return total;
  }

  /// Takes away what the product adds to the held displacements of a component in a plane.
  void hold(int c, Index plane) const {
    const Mesh& mesh = problem_.mesh;
    double* q = q_[c] + mesh.node(0, 0, plane);
    if (c == 0) {
      for (Index j = 0; j < mesh.ny; ++j) q[j * mesh.nx] = 0;
    } else if (c == 1) {
      std::fill_n(q, mesh.nx, 0.0);
    } else if (plane == 0) {
      std::fill_n(q, mesh.nx * mesh.ny, 0.0);
    }
  }

  const Problem& problem_;
  std::unique_ptr<solver::Operator<double>> matrix_;
  solver::Field<double> u_, r_, d_, q_;
};

}  // namespace elasticity
