/* Works for a tenth of the time, and waits for a message that comes late for the rest: `waiting SECONDS`. Each rank's turn to
   be waited for comes once, so that all are as busy as each other. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void rest(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

int main(int count, char** words) {
  int rank, ranks;
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int turn = 0; turn < ranks; ++turn) {
    if (rank == turn) rest(atof(words[1]));
    MPI_Ibarrier(MPI_COMM_WORLD, &none);
    MPI_Wait(&none, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
