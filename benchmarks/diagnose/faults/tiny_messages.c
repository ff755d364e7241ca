/* Fault: many tiny messages. Ranks exchange their edges one number a message. Cured: one message an edge.
 * Usage: tiny_messages [SCALE] [cured] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = (int)(800 * scale) + 1, piece = cured ? COUNT : 1;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  static double mine[COUNT], theirs[COUNT];
  for (int i = 0; i < COUNT; ++i) mine[i] = rank + i;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < COUNT; i += piece)
      MPI_Sendrecv(mine + i, piece, MPI_DOUBLE, right, 0, theirs + i, piece, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; ++i) mine[i] = 0.5 * (mine[i] + theirs[i]) + 1.0;
  }
  double sum = 0.0;
  for (int i = 0; i < COUNT; ++i) sum += mine[i];
  if (rank == 0) printf("checksum %.17g\n", sum);
  MPI_Finalize();
  return 0;
}
