/* Healthy: a stencil on ranks that have equal parts of a field, and exchange whole rows after much computing.
 * Usage: stencil [SCALE] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 256, COLUMNS = 1024 };

static double fields[2][ROWS + 2][COLUMNS];

static void exchange(double field[][COLUMNS], int up, int down) {
  MPI_Sendrecv(field[1], COLUMNS, MPI_DOUBLE, up, 0, field[ROWS + 1], COLUMNS, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(field[ROWS], COLUMNS, MPI_DOUBLE, down, 1, field[0], COLUMNS, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int steps = (int)(4000 * scale) + 1;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int row = 0; row < ROWS + 2; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      fields[0][row][column] = fields[1][row][column] = (row + column) % 8;
  for (int step = 0; step < steps; ++step) {
    double(*from)[COLUMNS] = fields[step % 2], (*to)[COLUMNS] = fields[1 - step % 2];
    exchange(from, (rank + ranks - 1) % ranks, (rank + 1) % ranks);
    for (int row = 1; row <= ROWS; ++row)
      for (int column = 1; column + 1 < COLUMNS; ++column)
        to[row][column] =
            0.25 * (from[row - 1][column] + from[row + 1][column] + from[row][column - 1] + from[row][column + 1]);
  }
  double sum = 0.0, total = 0.0;
  for (int row = 1; row <= ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column) sum += fields[steps % 2][row][column];
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("checksum %.17g\n", total);
  MPI_Finalize();
  return 0;
}
