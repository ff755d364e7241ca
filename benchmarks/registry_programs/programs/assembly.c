// Assembles the matrix of a five-point stencil with PETSc: without preallocation unless `cured`. assembly SCALE [cured]
#include <petscmat.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  const double scale = argc > 1 ? atof(argv[1]) : 1;
  const int preallocated = argc > 2 && strcmp(argv[2], "cured") == 0;
  const PetscInt side = (PetscInt)(150 * PetscSqrtReal(scale)), size = side * side;
  Mat matrix;
  PetscCall(MatCreate(PETSC_COMM_SELF, &matrix));
  PetscCall(MatSetSizes(matrix, size, size, size, size));
  PetscCall(MatSetType(matrix, MATSEQAIJ));
  PetscCall(MatSeqAIJSetPreallocation(matrix, preallocated ? 5 : 0, NULL));
  PetscCall(MatSetOption(matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (PetscInt row = 0; row < size; ++row) {
    const PetscInt x = row % side, y = row / side;
    PetscInt columns[5];
    PetscScalar values[5];
    PetscInt count = 0;
    columns[count] = row, values[count++] = 4;
    if (x > 0) columns[count] = row - 1, values[count++] = -1;
    if (x + 1 < side) columns[count] = row + 1, values[count++] = -1;
    if (y > 0) columns[count] = row - side, values[count++] = -1;
    if (y + 1 < side) columns[count] = row + side, values[count++] = -1;
    PetscCall(MatSetValues(matrix, 1, &row, count, columns, values, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscReal norm;
  PetscCall(MatNorm(matrix, NORM_1, &norm));
  PetscCall(PetscPrintf(PETSC_COMM_SELF, "%g\n", (double)norm));
  PetscCall(MatDestroy(&matrix));
  PetscCall(PetscFinalize());
  return 0;
}
