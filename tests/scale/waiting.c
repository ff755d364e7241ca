/* One rank after the other works while all others wait for it: `waiting SECONDS`. All are as busy as each other, and of
   N ranks each is useful for one part in N of the time. */
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
