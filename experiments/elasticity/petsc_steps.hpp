/// PETSc's conjugate gradients on ranks of MPI, with a matrix of any of its kinds.
#pragma once

#include <mpi.h>
#include <petscksp.h>

#include <algorithm>
#include <array>
#include <rooftop/rung.hpp>
#include <vector>

#include "assembly.hpp"

namespace elasticity {

/// Rows of nodes are shared in equal parts, in the order of their numbers. Given its best: blocks of three, no
/// preconditioner to apply, no test for convergence but PETSc's own norm, which the residuals need.
class PetscSteps : public rooftop::Rung {
 public:
  ~PetscSteps() override {
    KSPDestroy(&solver_);
    MatDestroy(&matrix_);
    VecDestroy(&load_);
    VecDestroy(&displacement_);
  }

  void run() override {
    check(VecSet(displacement_, 0));
    check(KSPSetResidualHistory(solver_, history_.data(), static_cast<PetscInt>(history_.size()), PETSC_TRUE));
    check(KSPSolve(solver_, load_, displacement_));
  }

  void finish() override {
    PetscInt count = 0;
    check(KSPGetResidualHistory(solver_, nullptr, &count));
    VecScatter scatter = nullptr;
    Vec whole = nullptr;
    check(VecScatterCreateToZero(displacement_, &scatter, &whole));
    check(VecScatterBegin(scatter, displacement_, whole, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(scatter, displacement_, whole, INSERT_VALUES, SCATTER_FORWARD));
    if (problem_.rank == 0) {
      const PetscScalar* values = nullptr;
      check(VecGetArrayRead(whole, &values));
      std::copy_n(values, components * problem_.mesh.nodes(), problem_.displacement);
      check(VecRestoreArrayRead(whole, &values));
      for (PetscInt step = 0; step < count; ++step) {
        problem_.residuals[step] = history_[static_cast<std::size_t>(step)] / history_[0];
      }
    }
    check(VecScatterDestroy(&scatter));
    check(VecDestroy(&whole));
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(components * problem_.mesh.nodes());
    const auto blocks = static_cast<double>(block_count(problem_.mesh));
    // PETSc keeps three vectors besides the solution, and moves 14 an iteration with the product's two.
    return {.fma_flops = problem_.iterations * (2 * block_values * blocks + 10 * n),
            .add_flops = 0,
            .memory_bytes = problem_.iterations * (matrix_bytes() + 14 * sizeof(double) * n),
            .working_set_bytes = matrix_bytes() + 4 * sizeof(double) * n,
            .algorithm = "conjugate gradients"};
  }

 protected:
  /// type       MATBAIJ, MATSBAIJ or MATSELL
  /// symmetric  only the blocks from the diagonal on are given
  PetscSteps(const Problem& problem, MatType type, bool symmetric)
      : problem_(problem), symmetric_(symmetric), history_(static_cast<std::size_t>(problem.iterations + 1)) {
    if (problem.threads != 1) throw rooftop::Skip("PETSc's ranks have one thread each");
    PetscBool begun = PETSC_FALSE;
    check(PetscInitialized(&begun));
    if (!begun) check(PetscInitializeNoArguments());
    make_matrix(type);
    check(MatCreateVecs(matrix_, &displacement_, &load_));
    PetscInt first = 0, last = 0;
    check(VecGetOwnershipRange(load_, &first, &last));
    PetscScalar* values = nullptr;
    check(VecGetArray(load_, &values));
    std::copy(problem.load + first, problem.load + last, values);
    check(VecRestoreArray(load_, &values));
    make_solver();
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] bool symmetric() const { return symmetric_; }

 private:
  static void check(PetscErrorCode error) {
    if (error != 0) throw std::runtime_error("PETSc's error " + std::to_string(error));
  }

  /// Of blocks with a column of four bytes, or of numbers with one each, as MATSELL has them.
  [[nodiscard]] virtual double matrix_bytes() const = 0;

  void make_matrix(MatType type) {
    const Mesh& mesh = problem_.mesh;
    const Index begin = mesh.nodes() * problem_.rank / problem_.ranks;
    const Index end = mesh.nodes() * (problem_.rank + 1) / problem_.ranks;
    const auto rows = static_cast<PetscInt>(components * (end - begin));
    check(MatCreate(MPI_COMM_WORLD, &matrix_));
    check(MatSetSizes(matrix_, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE));
    check(MatSetBlockSize(matrix_, components));
    check(MatSetType(matrix_, type));
    std::vector<PetscInt> here, elsewhere;  // blocks in each row of blocks
    for (Index node = begin; node < end; ++node) {
      PetscInt own = 0, others = 0;
      for_neighbours(mesh, place_of(mesh, node), [&](const Place&, Index neighbour) {
        if (symmetric_ && neighbour < node) return;
        ++(neighbour >= begin && neighbour < end ? own : others);
      });
      here.push_back(own), elsewhere.push_back(others);
    }
    reserve(type, here, elsewhere);
    std::array<double, block_values> block{};
    for (Index node = begin; node < end; ++node) {
      const Place row = place_of(mesh, node);
      for_neighbours(mesh, row, [&](const Place& place, Index neighbour) {
        if (symmetric_ && neighbour < node) return;
        fill_block(problem_, row, place, block.data());
        const auto r = static_cast<PetscInt>(node), c = static_cast<PetscInt>(neighbour);
        check(MatSetValuesBlocked(matrix_, 1, &r, 1, &c, block.data(), INSERT_VALUES));
      });
    }
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }

  void reserve(MatType type, const std::vector<PetscInt>& here, const std::vector<PetscInt>& elsewhere) {
    if (std::string_view(type) == MATSELL) {
      std::vector<PetscInt> own, others;
      for (std::size_t node = 0; node < here.size(); ++node) {
        own.insert(own.end(), components, components * here[node]);
        others.insert(others.end(), components, components * elsewhere[node]);
      }
      check(MatSeqSELLSetPreallocation(matrix_, 0, own.data()));
      check(MatMPISELLSetPreallocation(matrix_, 0, own.data(), 0, others.data()));
    } else {
      const auto* own = symmetric_ ? nullptr : here.data();
      const auto* others = symmetric_ ? nullptr : elsewhere.data();
      const auto* own_upper = symmetric_ ? here.data() : nullptr;
      const auto* others_upper = symmetric_ ? elsewhere.data() : nullptr;
      check(MatXAIJSetPreallocation(matrix_, components, own, others, own_upper, others_upper));
    }
  }

  void make_solver() {
    PC preconditioner = nullptr;
    check(KSPCreate(MPI_COMM_WORLD, &solver_));
    check(KSPSetOperators(solver_, matrix_, matrix_));
    check(KSPSetType(solver_, KSPCG));
    check(KSPSetNormType(solver_, KSP_NORM_UNPRECONDITIONED));
    check(KSPGetPC(solver_, &preconditioner));
    check(PCSetType(preconditioner, PCNONE));
    check(KSPSetTolerances(solver_, 0, 0, PETSC_DEFAULT, problem_.iterations));
    check(KSPSetConvergenceTest(solver_, KSPConvergedSkip, nullptr, nullptr));
    check(KSPSetUp(solver_));
  }

  const Problem& problem_;
  bool symmetric_;
  std::vector<PetscReal> history_;
  Mat matrix_ = nullptr;
  Vec load_ = nullptr, displacement_ = nullptr;
  KSP solver_ = nullptr;
};

}  // namespace elasticity
