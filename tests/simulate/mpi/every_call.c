/* Each call of MPI 3.1 that is recorded, on any number of ranks. */
#include <mpi.h>

enum { MOST = 16 };
static int rank, ranks, left, right;
static double a[MOST * MOST], b[MOST * MOST];
static MPI_Request r[2];
static MPI_Status s[2];
static int flag, which, many, indices[2];
static const MPI_Comm w = MPI_COMM_WORLD;

#define GETS MPI_Irecv(b, 1, MPI_DOUBLE, left, 0, w, r)
#define SENDS MPI_Isend(a, 1, MPI_DOUBLE, right, 0, w, r + 1)

static void messages(void) {
  static char buffer[1000 + MPI_BSEND_OVERHEAD];
  MPI_Message message;
  MPI_Buffer_attach(buffer, sizeof buffer);
#define BLOCKING(name) GETS, MPI_Barrier(w), name(a, 1, MPI_DOUBLE, right, 0, w), MPI_Wait(r, s)
  BLOCKING(MPI_Send);
  BLOCKING(MPI_Ssend);
  BLOCKING(MPI_Bsend);
  BLOCKING(MPI_Rsend);
#define NONBLOCKING(name) GETS, MPI_Barrier(w), name(a, 1, MPI_DOUBLE, right, 0, w, r + 1), MPI_Waitall(2, r, s)
  NONBLOCKING(MPI_Isend);
  NONBLOCKING(MPI_Issend);
  NONBLOCKING(MPI_Ibsend);
  NONBLOCKING(MPI_Irsend);
#define PERSISTENT(name)                                                                    \
  MPI_Recv_init(b, 1, MPI_DOUBLE, left, 0, w, r), MPI_Start(r), MPI_Barrier(w);             \
  name(a, 1, MPI_DOUBLE, right, 0, w, r + 1), MPI_Startall(1, r + 1), MPI_Waitall(2, r, s); \
  MPI_Request_free(r), MPI_Request_free(r + 1)
  PERSISTENT(MPI_Send_init);
  PERSISTENT(MPI_Ssend_init);
  PERSISTENT(MPI_Bsend_init);
  PERSISTENT(MPI_Rsend_init);
  MPI_Buffer_detach(buffer, &many);
  SENDS, MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, w, MPI_STATUS_IGNORE), MPI_Wait(r + 1, s);
  MPI_Sendrecv(a, 1, MPI_DOUBLE, right, 0, b, 1, MPI_DOUBLE, left, 0, w, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(a, 1, MPI_DOUBLE, right, 0, left, 0, w, s);
  SENDS, MPI_Probe(left, 0, w, s), MPI_Recv(b, 1, MPI_DOUBLE, left, 0, w, s), MPI_Wait(r + 1, s);
  SENDS;
  for (flag = 0; !flag;) MPI_Iprobe(left, 0, w, &flag, s);
  MPI_Recv(b, 1, MPI_DOUBLE, left, 0, w, s), MPI_Wait(r + 1, s);
  SENDS, MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(b, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE), MPI_Wait(r + 1, s);
  SENDS;
  for (flag = 0; !flag;) MPI_Improbe(left, 0, w, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(b, 1, MPI_DOUBLE, &message, r), MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void ends(void) {
  GETS, SENDS, MPI_Waitany(2, r, &which, s), MPI_Waitany(2, r, &which, s);
  GETS, SENDS, MPI_Waitsome(2, r, &many, indices, s);
  if (many < 2) MPI_Waitsome(2, r, &many, indices, MPI_STATUSES_IGNORE);
  GETS, SENDS;
  for (flag = 0; !flag;) MPI_Test(r, &flag, s);
  for (flag = 0; !flag;) MPI_Test(r + 1, &flag, MPI_STATUS_IGNORE);
  GETS, SENDS;
  for (flag = 0; !flag;) MPI_Testall(2, r, &flag, s);
  GETS, SENDS;
  for (int left_over = 2; left_over > 0; left_over -= flag) MPI_Testany(2, r, &which, &flag, s);
  GETS, SENDS;
  for (int left_over = 2; left_over > 0; left_over -= many) MPI_Testsome(2, r, &many, indices, s);
  GETS, SENDS;
  for (flag = 0; !flag;) MPI_Request_get_status(r[0], &flag, s);
  MPI_Waitall(2, r, s);
  MPI_Irecv(b, 1, MPI_DOUBLE, left, 99, w, r), MPI_Cancel(r), MPI_Wait(r, s);
}

static int counts[MOST], places[MOST], bytes_apart[MOST];
static MPI_Datatype types[MOST];

static void collectives(void) {
  const int own = rank + 1, last = ranks - 1;
  int to[MOST], from[MOST];
  for (int i = 0; i < ranks; ++i) to[i] = i + 1, from[i] = own;
#define BOTH(name, iname, ...) name(__VA_ARGS__), iname(__VA_ARGS__, r), MPI_Wait(r, s)
  BOTH(MPI_Barrier, MPI_Ibarrier, w);
  BOTH(MPI_Bcast, MPI_Ibcast, a, 1, MPI_DOUBLE, last, w);
  BOTH(MPI_Reduce, MPI_Ireduce, a, b, 2, MPI_DOUBLE, MPI_SUM, last, w);
  BOTH(MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, b, 3, MPI_DOUBLE, MPI_SUM, w);
  BOTH(MPI_Scan, MPI_Iscan, a, b, 4, MPI_DOUBLE, MPI_SUM, w);
  BOTH(MPI_Exscan, MPI_Iexscan, a, b, 5, MPI_DOUBLE, MPI_SUM, w);
  BOTH(MPI_Allgather, MPI_Iallgather, a, 6, MPI_DOUBLE, b, 6, MPI_DOUBLE, w);
  BOTH(MPI_Alltoall, MPI_Ialltoall, a, 7, MPI_DOUBLE, b, 7, MPI_DOUBLE, w);
  BOTH(MPI_Gather, MPI_Igather, a, 8, MPI_DOUBLE, b, 8, MPI_DOUBLE, last, w);
  BOTH(MPI_Scatter, MPI_Iscatter, a, 9, MPI_DOUBLE, b, 9, MPI_DOUBLE, last, w);
  BOTH(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, a, b, 10, MPI_DOUBLE, MPI_SUM, w);
  BOTH(MPI_Reduce_scatter, MPI_Ireduce_scatter, a, b, counts, MPI_DOUBLE, MPI_SUM, w);
  BOTH(MPI_Allgatherv, MPI_Iallgatherv, a, own, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, w);
  BOTH(MPI_Gatherv, MPI_Igatherv, a, own, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, last, w);
  BOTH(MPI_Scatterv, MPI_Iscatterv, a, counts, places, MPI_DOUBLE, b, own, MPI_DOUBLE, last, w);
  BOTH(MPI_Alltoallv, MPI_Ialltoallv, a, to, places, MPI_DOUBLE, b, from, places, MPI_DOUBLE, w);
  BOTH(MPI_Alltoallw, MPI_Ialltoallw, a, to, bytes_apart, types, b, from, bytes_apart, types, w);
}

static void neighbours(void) {
  MPI_Comm ring, edges, given, graph, row;
  /* Open MPI confuses the two directions where both lead to one rank. */
  const int up = ranks > 2 ? 2 : 1, round = 1, keep = 1, one[2] = {1, up}, apart[2] = {0, MOST};
  const MPI_Aint far[2] = {0, MOST * sizeof *a};
  MPI_Cart_create(w, 1, &ranks, &round, 0, &ring);
  BOTH(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, ring);
  const int same[2] = {1, 1};
  BOTH(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, a, 1, MPI_DOUBLE, b, same, apart, MPI_DOUBLE, ring);
  BOTH(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, ring);
  /* What goes down comes from above: block 1 of the one below. */
  const int other[2] = {up, 1};
  BOTH(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, a, one, apart, MPI_DOUBLE, b, other, apart, MPI_DOUBLE, ring);
  BOTH(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, a, one, far, types, b, other, far, types, ring);
  MPI_Cart_sub(ring, &keep, &row);
  MPI_Dist_graph_create_adjacent(w, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &edges);
  MPI_Neighbor_alltoall(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, edges);
#ifdef OPEN_MPI
  /* MPI_Dist_graph_create of Open MPI 4.1.4 waits for ever in 4 of 25 runs on five ranks. */
  MPI_Dist_graph_create_adjacent(w, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &given);
#else
  MPI_Dist_graph_create(w, 1, &rank, &keep, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &given);
#endif
  MPI_Neighbor_alltoall(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, given);
  int ends_at[MOST], all[2 * MOST];
  for (int i = 0; i < ranks; ++i) {
    ends_at[i] = 2 * i + 2, all[2 * i] = (i + 1) % ranks, all[2 * i + 1] = (i + ranks - 1) % ranks;
  }
  MPI_Graph_create(w, ranks, ends_at, all, 0, &graph);
  MPI_Neighbor_allgather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, graph);
  MPI_Comm_free(&ring), MPI_Comm_free(&edges), MPI_Comm_free(&given), MPI_Comm_free(&graph), MPI_Comm_free(&row);
}

static void communicators(void) {
  MPI_Comm same, told, later, some, few, half, node, between, all;
  MPI_Group group;
  MPI_Comm_group(w, &group);
  MPI_Comm_dup(w, &same);
  MPI_Comm_dup_with_info(w, MPI_INFO_NULL, &told);
  MPI_Comm_idup(w, &later, r), MPI_Wait(r, s);
  MPI_Comm_create(w, group, &some);
  MPI_Comm_create_group(w, group, 5, &few);
  MPI_Comm_split(w, rank % 2, 0, &half);
  MPI_Comm_split_type(w, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (ranks > 1) {
    MPI_Intercomm_create(half, 0, w, 1 - rank % 2, 7, &between);
    MPI_Intercomm_merge(between, 0, &all);
    MPI_Barrier(all);
  }
  /* Messages of two communicators of the same ranks, which are received the other way round. */
  MPI_Isend(a, 3, MPI_DOUBLE, right, 0, same, r), MPI_Isend(a, 5, MPI_DOUBLE, right, 0, later, r + 1);
  MPI_Recv(b, 5, MPI_DOUBLE, left, 0, later, s), MPI_Recv(b, 3, MPI_DOUBLE, left, 0, same, s);
  MPI_Waitall(2, r, s);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(w, &rank), MPI_Comm_size(w, &ranks);
  left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  for (int i = 0; i < MOST; ++i) {
    counts[i] = i + 1, places[i] = i * MOST, bytes_apart[i] = places[i] * (int)sizeof *a, types[i] = MPI_DOUBLE;
  }
  messages();
  ends();
  collectives();
  neighbours();
  communicators();
  MPI_Finalize();
  return 0;
}
