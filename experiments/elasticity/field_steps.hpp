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
    double squares = begin(), alpha = 0, beta = 0;
    const double loaded = squares;
    p.residuals[0] = 1;
    for (int step = 1; step <= p.iterations; ++step) {
      alpha = squares / (step == 1 ? multiply() : move_and_multiply(alpha, beta));
      const double next = reduce(alpha);
      beta = next / squares;
      squares = next;
      p.residuals[step] = std::sqrt(squares / loaded);
    }
    move(alpha, beta);
  }

  void finish() override {
    for (Index n = 0; n < problem_.mesh.nodes(); ++n) {
      for (int c = 0; c < components; ++c) problem_.displacement[components * n + c] = u_[c][n];
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem_.mesh.nodes());
    return {.fma_flops = problem_.iterations * (matrix_flops() + 10 * n),
            .add_flops = problem_.iterations * matrix_adds(),
            .memory_bytes = problem_.iterations * (matrix_->bytes() + vectors_moved() * sizeof(double) * n),
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
  [[nodiscard]] const solver::Operator<double>& matrix() const { return *matrix_; }
  [[nodiscard]] const solver::Field<double>& direction() const { return d_; }
  [[nodiscard]] solver::Field<double>& product() { return q_; }

  /// q = A d. Returns d·q.
  double multiply() { return matrix_->multiply(d_, q_, 1, false); }
  /// The step along d that was found last, and the next direction; then q = A d. Returns d·q.
  virtual double move_and_multiply(double alpha, double beta) {
    move(alpha, beta);
    return multiply();
  }
  /// u += alpha d, d = r + beta d, in one plane.
  void move_plane(Index plane, double alpha, double beta) {
    const Index begin = problem_.mesh.node(0, 0, plane), end = problem_.mesh.node(0, 0, plane + 1);
    for (int c = 0; c < components; ++c) {
      double *u = u_[c], *d = d_[c];
      const double* r = r_[c];
#pragma omp simd
      for (Index n = begin; n < end; ++n) {
        u[n] += alpha * d[n];
        d[n] = r[n] + beta * d[n];
      }
    }
  }

  /// Of one product: flops of multiply-adds, and lone ones.
  [[nodiscard]] virtual double matrix_flops() const = 0;
  [[nodiscard]] virtual double matrix_adds() const { return 0; }
  /// Read or written in one iteration: by the product, by what reduces the residual, and by what moves.
  [[nodiscard]] virtual double vectors_moved() const { return 2 + 3 + 5; }

 private:
  /// u = 0, r = d = the load. Returns r·r.
  double begin() {
    return sum([&](int c, Index, Index begin, Index end) {
      double *u = u_[c], *r = r_[c], *d = d_[c], part = 0;
#pragma omp simd reduction(+ : part)
      for (Index n = begin; n < end; ++n) {
        const double load = problem_.load[components * n + c];
        u[n] = 0;
        r[n] = d[n] = load;
        part += load * load;
      }
      return part;
    });
  }

  /// r -= alpha q. Returns r·r.
  double reduce(double alpha) {
    return sum([&, alpha](int c, Index plane, Index begin, Index end) {
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
  }

  void move(double alpha, double beta) {
#pragma omp parallel num_threads(problem_.threads)
    {
      const solver::Share own = solver::share_of(problem_.mesh.nz);
      for (Index k = own.begin; k < own.end; ++k) move_plane(k, alpha, beta);
    }
  }

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
