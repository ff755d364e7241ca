/// What a multigrid preconditioner of PETSc keeps, and what an iteration reads of it.
#pragma once

#include <petscksp.h>

#include "petsc_assembly.hpp"
#include "problem.hpp"

namespace elasticity_solution {

/// Bytes of a matrix of all ranks: 8 for each value that is not 0 and 4 for each column, of a value or of a block. An
/// interpolation that is the same for each component (MATMAIJ) is stored once.
inline double bytes_of(Mat matrix) {
  PetscBool repeated = PETSC_FALSE, blocks = PETSC_FALSE;
  auto* const object = reinterpret_cast<PetscObject>(matrix);
  check_petsc(PetscObjectTypeCompareAny(object, &repeated, MATSEQMAIJ, MATMPIMAIJ, ""));
  if (repeated == PETSC_TRUE) {
    Mat one = nullptr;
    check_petsc(MatMAIJGetAIJ(matrix, &one));
    return bytes_of(one);
  }
  check_petsc(PetscObjectTypeCompareAny(object, &blocks, MATSEQBAIJ, MATMPIBAIJ, ""));
  PetscInt size = 1;
  if (blocks == PETSC_TRUE) check_petsc(MatGetBlockSize(matrix, &size));
  MatInfo info{};
  check_petsc(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info));
  return (sizeof(PetscScalar) + sizeof(PetscInt) / static_cast<double>(size * size)) * info.nz_used;
}

/// Tells the bytes of the matrices and interpolations of all levels and of two vectors of each, of all ranks, and what
/// smooths on the finest level. Nothing where the preconditioner has no levels.
inline void tell_kept(KSP solver, Told& told) {
  PC preconditioner = nullptr;
  check_petsc(KSPGetPC(solver, &preconditioner));
  PetscBool multigrid = PETSC_FALSE;
  auto* const object = reinterpret_cast<PetscObject>(preconditioner);
  check_petsc(PetscObjectTypeCompareAny(object, &multigrid, PCGAMG, PCMG, ""));
  if (multigrid == PETSC_FALSE) return;
  PetscInt levels = 0;
  check_petsc(PCMGGetLevels(preconditioner, &levels));
  told.kept_bytes = 0;
  for (PetscInt level = 0; level < levels; ++level) {
    KSP smoother = nullptr;
    Mat matrix = nullptr, interpolation = nullptr;
    check_petsc(PCMGGetSmoother(preconditioner, level, &smoother));
    check_petsc(KSPGetOperators(smoother, &matrix, nullptr));
    PetscInt rows = 0, steps = 0;
    check_petsc(MatGetSize(matrix, &rows, nullptr));
    told.smoother_bytes = bytes_of(matrix);
    told.kept_bytes += told.smoother_bytes + 2.0 * sizeof(PetscScalar) * static_cast<double>(rows);
    if (level == 0) continue;
    // Chebyshev's steps before and after a correction: the first of all needs no product, the residual between is one.
    check_petsc(KSPGetTolerances(smoother, nullptr, nullptr, nullptr, &steps));
    told.sweeps = 2 * static_cast<int>(steps);
    check_petsc(PCMGGetInterpolation(preconditioner, level, &interpolation));
    told.kept_bytes += bytes_of(interpolation);
  }
  told.product_bytes = told.smoother_bytes;
}

}  // namespace elasticity_solution
