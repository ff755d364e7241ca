/// Conjugate gradients with a sum of products of one-dimensional matrices, on a box of elements of one material.
#pragma once

#include "field_steps.hpp"

namespace elasticity {

class TensorSteps : public FieldSteps {
 protected:
  using Matrix = solver::TensorOperator<double>;

  explicit TensorSteps(const Problem& problem) : TensorSteps(problem, matrix_of(problem)) {}

  [[nodiscard]] const Matrix& tensor() const { return tensor_; }

 private:
  TensorSteps(const Problem& problem, std::unique_ptr<Matrix> matrix)
      : FieldSteps(problem, std::move(matrix)), tensor_(static_cast<const Matrix&>(FieldSteps::matrix())) {}

  static std::unique_ptr<Matrix> matrix_of(const Problem& problem) {
    solver::AlignedBox box{grid_of(problem.mesh), {}, solver::material(1, 0.3)};
    const std::array<Index, 3> nodes{problem.mesh.nx, problem.mesh.ny, problem.mesh.nz};
    for (std::size_t d = 0; d < nodes.size(); ++d) {
      for (Index i = 0; i < nodes[d]; ++i) box.at[d].push_back(static_cast<double>(i));
    }
    return std::make_unique<Matrix>(box, problem.threads);
  }

  /// Away from the boundary: products with three coefficients, 6 along z, 11 along y, 9 along x, and 10 with the
  /// material. One-dimensional matrices of shape functions and their slopes are differences, 3 along z and 4 along y.
  [[nodiscard]] double matrix_flops() const override {
    return 2.0 * (3 * (6 + 11 + 9) + 10) * static_cast<double>(problem().mesh.nodes());
  }
  [[nodiscard]] double matrix_adds() const override {
    return (3.0 + 4.0) * static_cast<double>(problem().mesh.nodes());
  }

  const Matrix& tensor_;
};

}  // namespace elasticity
