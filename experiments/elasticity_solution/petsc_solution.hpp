/// PETSc's conjugate gradients on ranks of MPI, with any of its preconditioners.
#pragma once

#include <mpi.h>
#include <petscdmda.h>
#include <petscksp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <rooftop/clock.hpp>
#include <rooftop/rung.hpp>
#include <stdexcept>
#include <string>

#include "petsc_assembly.hpp"
#include "petsc_kept.hpp"
#include "petsc_listed.hpp"
#include "work.hpp"

namespace elasticity_solution {

/// The whole way in each run: a grid, the assembled matrix, the preconditioner's set-up, iterations until the true
/// residual's norm, not the preconditioned one, is small enough. Peers choose options as PETSc's command line has them.
class PetscSolution : public rooftop::Rung {
 public:
  ~PetscSolution() override {
    VecDestroy(&displacement_);
    DMDestroy(&grid_);
  }

  void run() override {
    const std::int64_t start_ns = rooftop::now_ns();
    VecDestroy(&displacement_);
    DMDestroy(&grid_);
    if (problem_.mesh.is_box()) {
      check(make_grid(problem_, matrix_type_, &grid_));
      set_coordinates(problem_, grid_);
    }
    Vec load = load_vector();
    check(VecDuplicate(load, &displacement_));
    KSP solver = nullptr;
    check(KSPCreate(MPI_COMM_WORLD, &solver));
    check(KSPSetType(solver, KSPCG));
    check(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    check(KSPSetTolerances(solver, problem_.tolerance, 0, PETSC_DEFAULT, most_iterations));
    set_operators(solver);
    check(KSPSetFromOptions(solver));
    check(KSPSetUp(solver));
    check(KSPSetUpOnBlocks(solver));
    problem_.told->setup_ns = rooftop::now_ns() - start_ns;
    problem_.told->iterations = solve(solver, load);
    tell_kept(solver, *problem_.told);
    check(KSPDestroy(&solver));
    check(VecDestroy(&load));
  }

  void finish() override {
    Vec natural = displacement_, whole = nullptr;
    VecScatter scatter = nullptr;
    if (grid_ != nullptr) {
      check(DMDACreateNaturalVector(grid_, &natural));
      check(DMDAGlobalToNaturalBegin(grid_, displacement_, INSERT_VALUES, natural));
      check(DMDAGlobalToNaturalEnd(grid_, displacement_, INSERT_VALUES, natural));
    }
    check(VecScatterCreateToZero(natural, &scatter, &whole));
    check(VecScatterBegin(scatter, natural, whole, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(scatter, natural, whole, INSERT_VALUES, SCATTER_FORWARD));
    if (problem_.rank == 0) {
      const PetscScalar* values = nullptr;
      check(VecGetArrayRead(whole, &values));
      std::copy_n(values, components * problem_.mesh.nodes(), problem_.displacement);
      check(VecRestoreArrayRead(whole, &values));
    }
    check(VecScatterDestroy(&scatter));
    check(VecDestroy(&whole));
    if (grid_ != nullptr) check(VecDestroy(&natural));
  }

  [[nodiscard]] rooftop::Work work() const override { return solution_work(); }

 protected:
  /// `node_bytes` is what all ranks together take for each node.
  PetscSolution(const Problem& problem, MatType matrix_type, const char* options, double node_bytes)
      : problem_(problem), matrix_type_(matrix_type) {
    if (problem.threads != 1) throw rooftop::Skip("PETSc's ranks have one thread each");
    require_memory(node_bytes * static_cast<double>(problem.mesh.nodes()));
    PetscBool begun = PETSC_FALSE;
    check(PetscInitialized(&begun));
    if (!begun) check(PetscInitializeNoArguments());
    check(PetscOptionsInsertString(nullptr, options));
    check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
    if (!problem.mesh.is_box()) {
      if (problem.mesh.nodes() < problem.ranks) throw rooftop::Skip("there are more ranks than nodes");
    } else if (make_grid(problem, matrix_type, &grid_) != 0) {
      throw rooftop::Skip("there are too few nodes in a direction for PETSc to share them between the ranks");
    }
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] DM grid() const { return grid_; }

  static void check(PetscErrorCode error) { check_petsc(error); }

  /// Gives the solver its matrix and what the preconditioner needs besides.
  virtual void set_operators(KSP solver) = 0;

  /// What is told of motions that strain little.
  enum class Modes : std::uint8_t { none, rigid_body };

  /// Gives the solver the assembled matrix.
  void assemble(KSP solver, Modes told) {
    Mat matrix = nullptr;
    if (grid_ == nullptr) {
      matrix = listed_matrix(problem_, matrix_type_);
    } else {
      check(DMCreateMatrix(grid_, &matrix));
      fill_matrix(problem_, grid_, matrix);
    }
    if (told == Modes::rigid_body) {
      MatNullSpace modes = grid_ == nullptr ? listed_modes(problem_) : rigid_body_modes(grid_);
      check(MatSetNearNullSpace(matrix, modes));
      check(MatNullSpaceDestroy(&modes));
    }
    check(KSPSetOperators(solver, matrix, matrix));
    check(MatDestroy(&matrix));
  }

 private:
  /// Solves until the residual itself is small enough, and returns the number of iterations. In thin bodies the
  /// residual that conjugate gradients carry along is too small: then they begin anew from what they have.
  PetscInt solve(KSP solver, Vec load) {
    constexpr int most_rounds = 4;
    Mat matrix = nullptr;
    Vec residual = nullptr;
    check(KSPGetOperators(solver, &matrix, nullptr));
    check(VecDuplicate(load, &residual));
    PetscReal load_norm = 0, norm = 0;
    check(VecNorm(load, NORM_2, &load_norm));
    PetscInt all = 0;
    for (int round = 0; round < most_rounds; ++round) {
      check(KSPSetInitialGuessNonzero(solver, round > 0 ? PETSC_TRUE : PETSC_FALSE));
      check(KSPSolve(solver, load, displacement_));
      PetscInt iterations = 0;
      check(KSPGetIterationNumber(solver, &iterations));
      all += iterations;
      check(MatMult(matrix, displacement_, residual));
      check(VecAYPX(residual, -1, load));
      check(VecNorm(residual, NORM_2, &norm));
      if (iterations == 0 || norm <= problem_.tolerance * load_norm) break;
    }
    check(VecDestroy(&residual));
    return all;
  }

  static constexpr PetscInt most_iterations = 100'000;

  /// A process that takes more memory than there is ends the others with it.
  static void require_memory(double bytes) {
    const double all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const auto said = [](double value) { return std::to_string(std::llround(value / 1e9)) + " GB"; };
    if (bytes > 0.75 * all) throw rooftop::Skip("takes some " + said(bytes) + " of memory, and there are " + said(all));
  }

  [[nodiscard]] Vec load_vector() const {
    const Mesh& mesh = problem_.mesh;
    if (!mesh.is_box()) return listed_vector(problem_, problem_.load);
    Vec load = nullptr;
    check(DMCreateGlobalVector(grid_, &load));
    PetscInt xs = 0, ys = 0, zs = 0, xm = 0, ym = 0, zm = 0;
    check(DMDAGetCorners(grid_, &xs, &ys, &zs, &xm, &ym, &zm));
    PetscScalar* values = nullptr;
    check(VecGetArrayWrite(load, &values));
    PetscScalar* next = values;
    for (Index k = zs; k < zs + zm; ++k) {
      for (Index j = ys; j < ys + ym; ++j)
        next = std::copy_n(problem_.load + components * mesh.node(xs, j, k), components * xm, next);
    }
    check(VecRestoreArrayWrite(load, &values));
    return load;
  }

  const Problem& problem_;
  MatType matrix_type_;
  DM grid_ = nullptr;
  Vec displacement_ = nullptr;
};

}  // namespace elasticity_solution
