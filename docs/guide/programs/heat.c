/* Heat spreads over a square that is divided into slabs of rows, one for each rank. A step exchanges the outermost rows
   with the ranks above and below, computes, and adds up what changed over all ranks.

   Usage: mpirun -np 4 heat [STEPS] [SIDE] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  const int side = argc > 2 ? atoi(argv[2]) : 2048;
  const int rows = side / ranks;
  if (steps < 1 || rows < 1) {
    if (rank == 0) fprintf(stderr, "STEPS is %d and SIDE %d: expected 1 or more, and %d or more\n", steps, side, ranks);
    MPI_Finalize();
    return 2;
  }
  const size_t row = (size_t)side, all = (size_t)(rows + 2) * row;
  double* from = calloc(all, sizeof *from);
  double* to = calloc(all, sizeof *to);
  if (from == NULL || to == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) from[row + row / 2] = to[row + row / 2] = 1; /* the only warm place */
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  double change = 0;
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(from, side, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(from + (size_t)(rows + 1) * row, side, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(from + row, side, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(from + (size_t)rows * row, side, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    double own = 0;
    for (int i = 1; i <= rows; ++i) {
      const double* old = from + (size_t)i * row;
      double* new = to + (size_t)i* row;
      for (int j = 1; j < side - 1; ++j) {
        new[j] = old[j] + 0.2 * (old[j - 1] + old[j + 1] + old[j - side] + old[j + side] - 4 * old[j]);
        own += fabs(new[j] - old[j]);
      }
    }
    MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double* other = from;
    from = to;
    to = other;
  }
  if (rank == 0) printf("%d steps: %.6g changed in the last\n", steps, change);
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}
