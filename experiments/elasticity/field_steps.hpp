/// Conjugate gradients on the solver's fields, which keep components apart, with its products.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <rooftop/rung.hpp>

#include "../../solvers/elasticity/src/operators.hpp"
#include "assembly.hpp"

namespace elasticity {

namespace solver = rooftop::elasticity;

inline solver::Grid grid_of(const Mesh& mesh) { return {mesh.nx, mesh.ny, mesh.nz}; }

/// The three sweeps of MergedSweeps. A product gives d·q by itself; what it adds to held displacements is taken away.
class FieldSteps : public rooftop::Rung {
 public:
  void run() override {
    const Problem& p = problem_;
    double squares = sum([&](int c, Index n) {
      const double load = p.load[components * n + c];
      u_[c][n] = 0;
      r_[c][n] = d_[c][n] = load;
      return load * load;
    });
    const double loaded = squares;
    p.residuals[0] = 1;
    for (int step = 1; step <= p.iterations; ++step) {
      const double alpha = squares / matrix_->multiply(d_, q_, 1, false);
      hold(q_);
      const double next = sum([&](int c, Index n) {
        double& r = r_[c][n];
        r -= alpha * q_[c][n];
        return r * r;
      });
      const double beta = next / squares;
      squares = next;
      sum([&](int c, Index n) {
        double& d = d_[c][n];
        u_[c][n] += alpha * d;
        d = r_[c][n] + beta * d;
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
  /// The sum of what each(c, n) returns; components one after the other, as they lie in memory.
  template <class Each>
  double sum(Each each) {
    double total = 0;
#pragma omp parallel num_threads(problem_.threads) reduction(+ : total)
    {
      const solver::Share own = solver::share_of(problem_.mesh.nodes());
      for (int c = 0; c < components; ++c) {
        for (Index n = own.begin; n < own.end; ++n) total += each(c, n);
      }
    }
    return total;
  }

  void hold(const solver::Field<double>& field) const {
    const Mesh& mesh = problem_.mesh;
    for (Index k = 0; k < mesh.nz; ++k) {
      for (Index j = 0; j < mesh.ny; ++j) field[0][mesh.node(0, j, k)] = 0;
      std::fill_n(field[1] + mesh.node(0, 0, k), mesh.nx, 0.0);
    }
    std::fill_n(field[2], mesh.nx * mesh.ny, 0.0);
  }

  const Problem& problem_;
  std::unique_ptr<solver::Operator<double>> matrix_;
  solver::Field<double> u_, r_, d_, q_;
};

}  // namespace elasticity
