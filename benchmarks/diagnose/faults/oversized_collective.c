/* Fault: an oversized collective. In every step all ranks add up a whole field of a million numbers, of which they use
 * only the total. Cured: each rank adds up its field, and the ranks add up these sums.
 * Usage: oversized_collective [SCALE] [cured] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 250 };

static long sum(const long* values, int count) {
  long found = 0;
  for (int i = 0; i < count; ++i) found += values[i];
  return found;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = (int)(1e6 * scale) + 1;
  long *field = calloc((size_t)count, sizeof *field), *added = calloc((size_t)count, sizeof *added), total = 0;
  if (field == NULL || added == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < count; ++i) field[i] = (field[i] * 31 + rank + i + total) & 0xffff;
    if (cured) {
      const long mine = sum(field, count);
      MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    } else {
      MPI_Allreduce(field, added, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
      total = sum(added, count);
    }
  }
  if (rank == 0) printf("checksum %ld\n", total);
  free(field);
  free(added);
  MPI_Finalize();
  return 0;
}
