/* A library that is preloaded into a program and records its MPI calls, by MPI's profiling interface (MPI 4.0, chapter
   15). Calls of C. events.c keeps what they exchange; not_simulated.c names the others. */
#include <mpi.h>
#include <stdlib.h>

#include "../mpi_preloaded/begin_and_end.h"
#include "calls.h"

#define SENDS(name)                                                                                \
  CALL(name, (const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c), (b, n, t, d, g, c), \
       if (d != MPI_PROC_NULL) message(SEND, bytes_of(n, t), d, g, c))
#define BEGINS_TO_SEND(name)                                                                                          \
  CALL(name, (const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* r), (b, n, t, d, g, c, r), \
       if (d != MPI_PROC_NULL) under_way(message(SEND, bytes_of(n, t), d, g, c), *r))
#define WILL_SEND(name)                                                                                               \
  CALL(name, (const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* r), (b, n, t, d, g, c, r), \
       will(SEND, bytes_of(n, t), d, g, c, *r))
SENDS(Send)
SENDS(Ssend)
SENDS(Bsend)
SENDS(Rsend)
BEGINS_TO_SEND(Isend)
BEGINS_TO_SEND(Issend)
BEGINS_TO_SEND(Ibsend)
BEGINS_TO_SEND(Irsend)
WILL_SEND(Send_init)
WILL_SEND(Ssend_init)
WILL_SEND(Bsend_init)
WILL_SEND(Rsend_init)

SHOWN int MPI_Recv(void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status* a) {
  MPI_Status own;
  enter();
  const int result = PMPI_Recv(b, n, t, s, g, c, &own);
  if (recorded() && result == MPI_SUCCESS && s != MPI_PROC_NULL) came(message(RECEIVE, 0, s, g, c), &own);
  leave();
  if (a != MPI_STATUS_IGNORE) *a = own;
  return result;
}
CALL(Irecv, (void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* r), (b, n, t, s, g, c, r),
     if (s != MPI_PROC_NULL) under_way(message(RECEIVE, 0, s, g, c), *r))
CALL(Recv_init, (void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* r), (b, n, t, s, g, c, r),
     will(RECEIVE, 0, s, g, c, *r))

static void both_ways(long long bytes, int to, int tag, int from, int tag_from, MPI_Comm c, const MPI_Status* status) {
  static int request = 1 << 30; /* beyond those of events.c */
  struct event* one;
  if (from != MPI_PROC_NULL) {
    one = message(RECEIVE, 0, from, tag_from, c);
    came(one, status);
    one->request = request;
  }
  if (to != MPI_PROC_NULL) message(SEND, bytes, to, tag, c);
  if (from != MPI_PROC_NULL) add(WAIT)->request = request;
}
SHOWN int MPI_Sendrecv(const void* b, int n, MPI_Datatype t, int d, int g, void* q, int m, MPI_Datatype u, int s, int h,
                       MPI_Comm c, MPI_Status* a) {
  MPI_Status own;
  enter();
  const int result = PMPI_Sendrecv(b, n, t, d, g, q, m, u, s, h, c, &own);
  if (recorded() && result == MPI_SUCCESS) both_ways(bytes_of(n, t), d, g, s, h, c, &own);
  leave();
  if (a != MPI_STATUS_IGNORE) *a = own;
  return result;
}
SHOWN int MPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int d, int g, int s, int h, MPI_Comm c, MPI_Status* a) {
  MPI_Status own;
  enter();
  const int result = PMPI_Sendrecv_replace(b, n, t, d, g, s, h, c, &own);
  if (recorded() && result == MPI_SUCCESS) both_ways(bytes_of(n, t), d, g, s, h, c, &own);
  leave();
  if (a != MPI_STATUS_IGNORE) *a = own;
  return result;
}
CALL(Start, (MPI_Request * r), (r), started(*r))
CALL(Startall, (int n, MPI_Request r[]), (n, r), for (int i = 0; i < n; ++i) started(r[i]))

SHOWN int MPI_Request_free(MPI_Request* r) {
  const MPI_Request own = *r;
  enter();
  const int result = PMPI_Request_free(r);
  if (recorded() && result == MPI_SUCCESS) freed(own);
  leave();
  return result;
}

/* Probes and tests that find nothing are polls; what is found is received or waited for. */
CALL(Probe, (int s, int g, MPI_Comm c, MPI_Status* a), (s, g, c, a), (void)0)
SHOWN int MPI_Iprobe(int s, int g, MPI_Comm c, int* flag, MPI_Status* a) {
  enter();
  const int result = PMPI_Iprobe(s, g, c, flag, a);
  if (*flag) {
    leave();
  } else {
    polled();
  }
  return result;
}

/* Ends some of the requests, whose handles before the call are `r`: all where `indices` is NULL. */
static void some_ended(int many, const MPI_Request* r, const int* indices, const MPI_Status* statuses) {
  for (int i = 0; i < many; ++i) {
    const MPI_Request one = r[indices == NULL ? i : indices[i]];
    if (one != MPI_REQUEST_NULL) ended(one, &statuses[i]);
  }
}

/* A call on requests: `call` uses `own` statuses; `many` of them, at `indices`, have ended if `done`. */
#define ON_REQUESTS(name, n, r, call, done, many, indices, hand_on) \
  {                                                                 \
    const int room = (n) > 0 ? (n) : 1;                             \
    MPI_Request* before = malloc((size_t)room * sizeof *before);    \
    MPI_Status* own = malloc((size_t)room * sizeof *own);           \
    if (before == NULL || own == NULL) abort();                     \
    for (int i = 0; i < (n); ++i) before[i] = (r)[i];               \
    enter();                                                        \
    const int result = call;                                        \
    const int has = result == MPI_SUCCESS && (done);                \
    if (has) {                                                      \
      if (recorded()) some_ended(many, before, indices, own);       \
      leave();                                                      \
      hand_on;                                                      \
    } else {                                                        \
      polled();                                                     \
    }                                                               \
    free(before);                                                   \
    free(own);                                                      \
    return result;                                                  \
  }
#define HAND_ON_ONE \
  if (a != MPI_STATUS_IGNORE) *a = own[0]
#define HAND_ON(many) \
  for (int i = 0; a != MPI_STATUSES_IGNORE && i < (many); ++i) a[i] = own[i]

SHOWN int MPI_Wait(MPI_Request* r, MPI_Status* a)
    ON_REQUESTS(Wait, 1, r, PMPI_Wait(r, own), 1, 1, NULL, HAND_ON_ONE) SHOWN
    int MPI_Waitall(int n, MPI_Request r[], MPI_Status a[])
        ON_REQUESTS(Waitall, n, r, PMPI_Waitall(n, r, own), 1, n, NULL, HAND_ON(n)) SHOWN
    int MPI_Waitany(int n, MPI_Request r[], int* index, MPI_Status* a)
        ON_REQUESTS(Waitany, n, r, PMPI_Waitany(n, r, index, own), 1, *index == MPI_UNDEFINED ? 0 : 1, index,
                    HAND_ON_ONE) SHOWN int MPI_Waitsome(int n, MPI_Request r[], int* many, int* indices, MPI_Status a[])
            ON_REQUESTS(Waitsome, n, r, PMPI_Waitsome(n, r, many, indices, own), 1, *many == MPI_UNDEFINED ? 0 : *many,
                        indices, HAND_ON(*many == MPI_UNDEFINED ? 0 : *many)) SHOWN
    int MPI_Test(MPI_Request* r, int* flag, MPI_Status* a)
        ON_REQUESTS(Test, 1, r, PMPI_Test(r, flag, own), *flag, 1, NULL, HAND_ON_ONE) SHOWN
    int MPI_Testall(int n, MPI_Request r[], int* flag, MPI_Status a[])
        ON_REQUESTS(Testall, n, r, PMPI_Testall(n, r, flag, own), *flag, n, NULL, HAND_ON(n)) SHOWN
    int MPI_Testany(int n, MPI_Request r[], int* index, int* flag, MPI_Status* a)
        ON_REQUESTS(Testany, n, r, PMPI_Testany(n, r, index, flag, own), *flag, *index == MPI_UNDEFINED ? 0 : 1, index,
                    HAND_ON_ONE) SHOWN int MPI_Testsome(int n, MPI_Request r[], int* many, int* indices, MPI_Status a[])
            ON_REQUESTS(Testsome, n, r, PMPI_Testsome(n, r, many, indices, own), *many != 0,
                        *many == MPI_UNDEFINED ? 0 : *many, indices, HAND_ON(*many == MPI_UNDEFINED ? 0 : *many))
/* Collective calls, and those of them that are not waited for at once. */
#define COLLECTIVE_CALL(name, small, parameters, arguments, bytes, root) \
  CALL(name, (PARAMETERS_OF parameters), (PARAMETERS_OF arguments), collective(small, bytes, root, c))
#define PARAMETERS_OF(...) __VA_ARGS__
#define WITH_REQUEST(name, small, parameters, arguments, bytes, root)                   \
  CALL(name, (PARAMETERS_OF parameters, MPI_Request * r), (PARAMETERS_OF arguments, r), \
       under_way(collective(small, bytes, root, c), *r))
#define ALSO_WITH_REQUEST(name, iname, small, parameters, arguments, bytes, root) \
  COLLECTIVE_CALL(name, small, parameters, arguments, bytes, root)                \
  WITH_REQUEST(iname, small, parameters, arguments, bytes, root)

                static long long block(const void* b, int n, MPI_Datatype t, int m, MPI_Datatype u) {
  return b == MPI_IN_PLACE ? bytes_of(m, u) : bytes_of(n, t);
}

ALSO_WITH_REQUEST(Barrier, Ibarrier, "barrier", (MPI_Comm c), (c), 0, 0)
ALSO_WITH_REQUEST(Bcast, Ibcast, "bcast", (void* b, int n, MPI_Datatype t, int o, MPI_Comm c), (b, n, t, o, c),
                  bytes_of(n, t), o)
ALSO_WITH_REQUEST(Reduce, Ireduce, "reduce",
                  (const void* b, void* q, int n, MPI_Datatype t, MPI_Op p, int o, MPI_Comm c), (b, q, n, t, p, o, c),
                  bytes_of(n, t), o)
ALSO_WITH_REQUEST(Allreduce, Iallreduce, "allreduce",
                  (const void* b, void* q, int n, MPI_Datatype t, MPI_Op p, MPI_Comm c), (b, q, n, t, p, c),
                  bytes_of(n, t), 0)
ALSO_WITH_REQUEST(Scan, Iscan, "scan", (const void* b, void* q, int n, MPI_Datatype t, MPI_Op p, MPI_Comm c),
                  (b, q, n, t, p, c), bytes_of(n, t), 0)
ALSO_WITH_REQUEST(Exscan, Iexscan, "scan", (const void* b, void* q, int n, MPI_Datatype t, MPI_Op p, MPI_Comm c),
                  (b, q, n, t, p, c), bytes_of(n, t), 0)
ALSO_WITH_REQUEST(Allgather, Iallgather, "allgather",
                  (const void* b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c),
                  (b, n, t, q, m, u, c), block(b, n, t, m, u), 0)
ALSO_WITH_REQUEST(Alltoall, Ialltoall, "alltoall",
                  (const void* b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c),
                  (b, n, t, q, m, u, c), block(b, n, t, m, u), 0)
ALSO_WITH_REQUEST(Gather, Igather, "gather",
                  (const void* b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, int o, MPI_Comm c),
                  (b, n, t, q, m, u, o, c), block(b, n, t, m, u), o)
ALSO_WITH_REQUEST(Scatter, Iscatter, "scatter",
                  (const void* b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, int o, MPI_Comm c),
                  (b, n, t, q, m, u, o, c), rank_in(c) == o ? bytes_of(n, t) : bytes_of(m, u), o)
COLLECTIVE_CALL(Reduce_scatter_block, "reduce_scatter",
                (const void* b, void* q, int n, MPI_Datatype t, MPI_Op p, MPI_Comm c), (b, q, n, t, p, c),
                bytes_of(n, t), 0)

SHOWN int MPI_Alltoallv(const void* b, const int n[], const int e[], MPI_Datatype t, void* q, const int m[],
                        const int f[], MPI_Datatype u, MPI_Comm c) {
  enter();
  const int result = PMPI_Alltoallv(b, n, e, t, q, m, f, u, c);
  if (recorded() && result == MPI_SUCCESS) {
    struct event* one = collective("alltoall", 0, 0, c);
    one->members = size_of(c);
    one->counts = malloc((size_t)one->members * sizeof *one->counts);
    if (one->counts == NULL) abort();
    for (int i = 0; i < one->members; ++i) {
      one->counts[i] = b == MPI_IN_PLACE ? bytes_of(m[i], u) : bytes_of(n[i], t);
    }
  }
  leave();
  return result;
}

/* What makes or closes a communicator has all of its ranks wait for each other. */
#define TOGETHER(name, parameters, arguments) CALL(name, parameters, arguments, collective("barrier", 0, 0, c))
TOGETHER(Comm_dup, (MPI_Comm c, MPI_Comm* m), (c, m))
TOGETHER(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm* m), (c, g, m))
TOGETHER(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm* m), (c, color, key, m))
TOGETHER(Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm* m), (c, type, key, i, m))
TOGETHER(Cart_create, (MPI_Comm c, int n, const int d[], const int p[], int reorder, MPI_Comm* m),
         (c, n, d, p, reorder, m))
TOGETHER(Cart_sub, (MPI_Comm c, const int remain[], MPI_Comm* m), (c, remain, m))
