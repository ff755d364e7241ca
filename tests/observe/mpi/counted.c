/* Calls whose figures are known; counted.F90 makes the same, and test_mpi_calls.py has the figures. Prints a sum of all
   that arrived. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static int rank, ranks, following, preceding;
static int given[MOST * MOST], got[MOST * MOST], counts[MOST], places[MOST], own[MOST], landings[MOST];
static int place_bytes[MOST], landing_bytes[MOST];
static MPI_Datatype types[MOST];
static long long sum;

static void arrived(int many) {
  for (int at = 0; at < many; ++at) sum += (long long)got[at] * (at + 1);
  for (int at = 0; at < MOST * MOST; ++at) got[at] = rank + at;
}

static void from_point_to_point(void) {
  MPI_Datatype three;
  MPI_Request one, both[2];
  MPI_Status ends[2];
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  MPI_Isend(given, 1, three, following, 1, MPI_COMM_WORLD, &one);
  MPI_Recv(got, 3, MPI_INT, preceding, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  arrived(3);
  MPI_Send(given, 9, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  for (int turn = 0; turn < 2; ++turn) { /* the second communicator may get the first one's handle */
    MPI_Comm part;
    int me;
    MPI_Comm_split(MPI_COMM_WORLD, 0, turn == 0 ? -rank : rank, &part);
    MPI_Comm_rank(part, &me);
    MPI_Sendrecv(given, 4, MPI_INT, (me + 1) % ranks, 2, got, 4, MPI_INT, (me + ranks - 1) % ranks, 2, part,
                 MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
    arrived(4);
  }
  MPI_Send_init(given, 10, MPI_INT, following, 3, MPI_COMM_WORLD, &both[0]);
  MPI_Recv_init(got, 10, MPI_INT, preceding, 3, MPI_COMM_WORLD, &both[1]);
  MPI_Startall(2, both);
  MPI_Waitall(2, both, ends);
  MPI_Start(&both[0]);
  MPI_Start(&both[1]);
  MPI_Waitall(2, both, ends);
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
  MPI_Type_free(&three);
  arrived(10);
}

static void from_and_to_one(void) {
  const int is_root = rank == 0;
  if (rank == ranks - 1) got[0] = 77;
  MPI_Bcast(got, 7, MPI_INT, ranks - 1, MPI_COMM_WORLD);
  arrived(7);
  MPI_Gather(is_root ? MPI_IN_PLACE : given, 1, is_root ? MPI_DATATYPE_NULL : MPI_INT, got, 1, MPI_INT, 0,
             MPI_COMM_WORLD);
  arrived(ranks);
  MPI_Gatherv(is_root ? MPI_IN_PLACE : given, rank + 1, is_root ? MPI_DATATYPE_NULL : MPI_INT, got, counts, places,
              MPI_INT, 0, MPI_COMM_WORLD);
  arrived(ranks);
  MPI_Scatter(given, 3, MPI_INT, got, 3, MPI_INT, 0, MPI_COMM_WORLD);
  arrived(3);
  MPI_Scatterv(given, counts, places, MPI_INT, got, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  arrived(rank + 1);
  MPI_Reduce(given, got, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  arrived(4);
}

static void between_all(void) {
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 2, MPI_INT, MPI_COMM_WORLD);
  arrived(2 * ranks);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_INT, MPI_COMM_WORLD);
  arrived(ranks);
  MPI_Alltoall(given, 2, MPI_INT, got, 2, MPI_INT, MPI_COMM_WORLD);
  arrived(2 * ranks);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 2, MPI_INT, MPI_COMM_WORLD);
  arrived(2 * ranks);
  MPI_Alltoallv(given, counts, places, MPI_INT, got, own, landings, MPI_INT, MPI_COMM_WORLD);
  arrived(ranks * (rank + 1));
  MPI_Alltoallw(given, counts, place_bytes, types, got, own, landing_bytes, types, MPI_COMM_WORLD);
  arrived(ranks * (rank + 1));
  MPI_Allreduce(MPI_IN_PLACE, got, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  arrived(4);
  MPI_Reduce_scatter(given, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  arrived(rank + 1);
  MPI_Reduce_scatter_block(given, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  arrived(2);
}

static void to_neighbours(void) {
  MPI_Comm ring;
  MPI_Win window;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, ring);
  arrived(2);
  MPI_Comm_free(&ring);
  MPI_Win_create(got, sizeof got, sizeof got[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(given, 3, MPI_INT, following, 0, 3, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  arrived(3);
}

int main(int argc, char** argv) {
  long long all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  following = (rank + 1) % ranks;
  preceding = (rank + ranks - 1) % ranks;
  for (int at = 0; at < MOST * MOST; ++at) given[at] = 1000 * rank + at;
  for (int at = 0; at < ranks; ++at) {
    counts[at] = at + 1;
    places[at] = at * (at + 1) / 2;
    own[at] = rank + 1;
    landings[at] = at * (rank + 1);
    place_bytes[at] = places[at] * (int)sizeof given[0];
    landing_bytes[at] = landings[at] * (int)sizeof given[0];
    types[at] = MPI_INT;
  }
  arrived(0);
  from_point_to_point();
  from_and_to_one();
  between_all();
  to_neighbours();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Reduce(&sum, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%lld\n", all);
  MPI_Finalize();
  return 0;
}
