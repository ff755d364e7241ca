/* Fault: a late sender. Even ranks compute before they send what they have had since the step began, and odd ranks wait
 * for it before they compute. Cured: even ranks send first.
 * Usage: late_sender [SCALE] [cured] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, COUNT = 64 };

static double computed(double x, long times) {
  for (long i = 0; i < times; ++i) x = sqrt(x + 1.5);
  return x;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long times = (long)(1e6 * scale) + 1;
  const int other = rank ^ 1;
  double edge[COUNT] = {0.0}, least = 0.0, mine = rank;
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < COUNT; ++i) edge[i] = rank % 2 == 0 ? mine + i : 0.0;
    if (other < ranks && rank % 2 == 1) MPI_Recv(edge, COUNT, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (other < ranks && rank % 2 == 0 && cured) MPI_Send(edge, COUNT, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    mine = computed(rank % 2 == 0 ? mine : edge[COUNT - 1], times) + step;
    if (other < ranks && rank % 2 == 0 && !cured) MPI_Send(edge, COUNT, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("checksum %.17g\n", least);
  MPI_Finalize();
  return 0;
}
