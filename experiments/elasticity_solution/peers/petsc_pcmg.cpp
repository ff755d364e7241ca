/// PETSc's geometric multigrid, PCMG, on grids that DMDA halves: it knows the mesh.
/// Chebyshev's iteration with Jacobi's smooths, the coarsest matrix is factored. Coarse matrices are integrated on the
/// coarser grids, which MATBAIJ allows; where Young's modulus jumps they are P^T A P (Galerkin), for which PETSc needs
/// MATAIJ. Each was the faster one there. Gauss and Seidel's smoothing took as long.
/// Source: PETSc 3.18, manual pages PCMG and DMDA, and the tutorial ex45.
// needs: PETSc, MPI
#include <cstddef>
#include <string>

#include "petsc_solution.hpp"

namespace {

using elasticity_solution::Kind;
using elasticity_solution::Problem;

std::string options(const Problem& problem) {
  return std::string("-pc_type mg -mg_levels_ksp_type chebyshev -mg_levels_pc_type jacobi -pc_mg_galerkin ") +
         (problem.kind == Kind::jump ? "both" : "none");
}

class Grids : public elasticity_solution::PetscSolution {
 public:
  explicit Grids(const Problem& problem)
      : PetscSolution(problem, problem.kind == Kind::jump ? MATAIJ : MATBAIJ, options(problem).c_str(),
                      problem.kind == Kind::jump ? 4400 : 3100) {
    if (!problem.mesh.is_box()) throw rooftop::Skip("the body is no box, and PCMG has no coarser grid of it");
    if (levels() < 2)
      throw rooftop::Skip("PCMG has no coarser grid: an odd number of elements, or few, in a direction");
    check(PetscOptionsSetValue(nullptr, "-pc_mg_levels", std::to_string(levels()).c_str()));
  }

 private:
  /// As many as leave two nodes a rank in each direction.
  [[nodiscard]] int levels() const {
    std::array<PetscInt, 3> nodes{}, ranks{};
    check(DMDAGetInfo(grid(), nullptr, &nodes[0], &nodes[1], &nodes[2], &ranks[0], &ranks[1], &ranks[2], nullptr,
                      nullptr, nullptr, nullptr, nullptr, nullptr));
    for (int count = 1;; ++count) {
      for (std::size_t d = 0; d < 3; ++d) {
        const PetscInt half = (nodes[d] - 1) / 2 + 1;
        if (nodes[d] % 2 == 0 || half < 2 * ranks[d]) return count;
        nodes[d] = half;
      }
    }
  }

  static PetscErrorCode fill(KSP solver, Mat /*matrix*/, Mat preconditioner, void* problem) {
    DM grid = nullptr;
    PetscCall(KSPGetDM(solver, &grid));
    elasticity_solution::fill_matrix(*static_cast<const Problem*>(problem), grid, preconditioner);
    return 0;
  }

  void set_operators(KSP solver) override {
    check(KSPSetDM(solver, grid()));
    check(KSPSetComputeOperators(solver, fill, const_cast<Problem*>(&problem())));
  }
};

}  // namespace

ROOFTOP_RUNG(elasticity_solution::Problem, Grids);
