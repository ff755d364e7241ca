/* What is apart from the calls of one thread in one group of ranks: other threads, which send to their own rank, two
   groups (the first rank and the others), and a graph of neighbours. `apart TURNS`; test_mpi_calls.py has the figures.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, MOST = 64 };

static int rank, ranks, turns;
static MPI_Comm apart[THREADS];
static pthread_barrier_t all_here;

static void* send_to_itself(void* comm) {
  for (int turn = 0; turn < turns; ++turn) {
    double given = turn, got = -1;
    MPI_Sendrecv(&given, 1, MPI_DOUBLE, rank, turn, &got, 1, MPI_DOUBLE, rank, turn, *(MPI_Comm*)comm,
                 MPI_STATUS_IGNORE);
    if (got != given) abort();
    if (turn == 0) pthread_barrier_wait(&all_here); /* no thread takes over what another that ended had */
  }
  return NULL;
}

static void in_threads(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&all_here, NULL, THREADS);
  for (int at = 0; at < THREADS; ++at) MPI_Comm_dup(MPI_COMM_WORLD, &apart[at]);
  for (int again = 0; again < 2; ++again) {
    for (int at = 0; at < THREADS; ++at) pthread_create(&threads[at], NULL, send_to_itself, &apart[at]);
    for (int at = 0; at < THREADS; ++at) pthread_join(threads[at], NULL);
  }
  for (int at = 0; at < THREADS; ++at) MPI_Comm_free(&apart[at]);
  pthread_barrier_destroy(&all_here);
}

static void in_two_groups(void) {
  MPI_Comm own, two;
  int given[MOST] = {0}, got[MOST];
  const int is_first = rank == 0;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 1, &two);
  if (is_first) {
    MPI_Send(given, 5, MPI_INT, 0, 1, two);
    MPI_Bcast(given, 6, MPI_INT, MPI_ROOT, two);
  } else {
    if (rank == 1) MPI_Recv(got, 5, MPI_INT, 0, 1, two, MPI_STATUS_IGNORE);
    MPI_Bcast(got, 6, MPI_INT, 0, two);
  }
  MPI_Alltoall(given, 2, MPI_INT, got, 2, MPI_INT, two);
  MPI_Comm_free(&two);
  MPI_Comm_free(&own);
}

static void among_neighbours(void) {
  MPI_Comm ring;
  const int following = (rank + 1) % ranks, preceding = (rank + ranks - 1) % ranks, count = 3, place = 0;
  int given[3] = {rank, rank, rank}, got[3] = {-1, -1, -1};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &preceding, MPI_UNWEIGHTED, 1, &following, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  MPI_Neighbor_alltoallv(given, &count, &place, MPI_INT, got, &count, &place, MPI_INT, ring);
  if (got[2] != preceding) abort();
  MPI_Comm_free(&ring);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2 || ranks > MOST / 2) return 2;
  turns = provided == MPI_THREAD_MULTIPLE ? atoi(argv[1]) : 0;
  if (rank == 0) puts(turns != 0 ? "with threads" : "without threads");
  if (turns != 0) in_threads();
  in_two_groups();
  among_neighbours();
  MPI_Finalize();
  return 0;
}
