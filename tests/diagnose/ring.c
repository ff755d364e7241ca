/* A ring of ranks: each works a while, sends 8 bytes to the next rank, and takes part in a sum. ring STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank, size;
  const int steps = count > 1 ? atoi(words[1]) : 100;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double value = 1, got = 0, sum = 0;
  for (int step = 0; step < steps; ++step) {
    for (int turn = 0; turn < 100000; ++turn) value = value * 1.0000001 + 1e-9;
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + 1) % size, 0, &got, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&got, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%g\n", sum);
  MPI_Finalize();
}
