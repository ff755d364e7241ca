/// What a multigrid preconditioner of PETSc keeps.
#pragma once

#include <petscksp.h>

#include "petsc_assembly.hpp"

namespace elasticity_solution {

/// Bytes of a matrix of all ranks: 8 for each value that is not 0, 4 for its column.
inline double bytes_of(Mat matrix) {
  MatInfo info{};
  check_petsc(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info));
  return (sizeof(PetscScalar) + sizeof(PetscInt)) * info.nz_used;
}

/// Bytes of the matrices and interpolations of all levels and of two vectors of each, of all ranks; -1: the
/// preconditioner has no levels.
inline double bytes_of_levels(KSP solver) {
  PC preconditioner = nullptr;
  check_petsc(KSPGetPC(solver, &preconditioner));
  PetscBool algebraic = PETSC_FALSE, other = PETSC_FALSE;
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(preconditioner), PCGAMG, &algebraic));
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(preconditioner), PCMG, &other));
  if (algebraic == PETSC_FALSE && other == PETSC_FALSE) return -1;
  PetscInt levels = 0;
  check_petsc(PCMGGetLevels(preconditioner, &levels));
  double bytes = 0;
  for (PetscInt level = 0; level < levels; ++level) {
    KSP smoother = nullptr;
    Mat matrix = nullptr, interpolation = nullptr;
    check_petsc(PCMGGetSmoother(preconditioner, level, &smoother));
    check_petsc(KSPGetOperators(smoother, &matrix, nullptr));
    PetscInt rows = 0;
    check_petsc(MatGetSize(matrix, &rows, nullptr));
    bytes += bytes_of(matrix) + 2.0 * sizeof(PetscScalar) * static_cast<double>(rows);
    if (level == 0) continue;
    check_petsc(PCMGGetInterpolation(preconditioner, level, &interpolation));
    bytes += bytes_of(interpolation);
  }
  return bytes;
}

}  // namespace elasticity_solution
