/* Collective calls with counts, those that are not waited for at once, and of MPI 4 the persistent ones: included once
   for each kind of count. */
#include <stdlib.h>

#include "calls.h"

#define EACH_OF(...) __VA_ARGS__
#if MPI_VERSION >= 4
#define AGAIN_AND_AGAIN(name, parameters, arguments, what)                                                \
  CALL(name##_init, (EACH_OF parameters, MPI_Info info, MPI_Request * r), (EACH_OF arguments, info, r), { \
    what;                                                                                                 \
    persistent(*r);                                                                                       \
  })
#else
#define AGAIN_AND_AGAIN(name, parameters, arguments, what)
#endif
#define COLLECTIVE_CALL(name, iname, parameters, arguments, what)              \
  CALL(name, parameters, arguments, what)                                      \
  CALL(iname, (EACH_OF parameters, MPI_Request * r), (EACH_OF arguments, r), { \
    what;                                                                      \
    under_way(1, *r);                                                          \
  })                                                                           \
  AGAIN_AND_AGAIN(name, parameters, arguments, what)

static long long block(const void* b, COUNT n, MPI_Datatype t, COUNT m, MPI_Datatype u) {
  return b == MPI_IN_PLACE ? bytes_of(m, u) : bytes_of(n, t);
}

/* The bytes of each member's block, of one type or of one for each. */
static void add_counts(struct event* one, MPI_Comm c, const COUNT* n, MPI_Datatype type, const MPI_Datatype* types) {
  one->members = size_of(c);
  one->counts = malloc((size_t)one->members * sizeof *one->counts);
  if (one->counts == NULL) abort();
  for (int i = 0; i < one->members; ++i) one->counts[i] = bytes_of(n[i], types == NULL ? type : types[i]);
}

/* The same of calls in which all ranks give the same counts: they are one block where they are equal. */
static void add_common_counts(struct event* one, MPI_Comm c, const COUNT* n, MPI_Datatype type) {
  add_counts(one, c, n, type, NULL);
  for (int i = 1; i < one->members; ++i) {
    if (one->counts[i] != one->counts[0]) return;
  }
  one->bytes = one->counts[0];
  free(one->counts);
  one->counts = NULL;
}

COLLECTIVE_CALL(Bcast, Ibcast, (void* b, COUNT n, MPI_Datatype t, int o, MPI_Comm c), (b, n, t, o, c),
                collective("bcast", bytes_of(n, t), o, c))
COLLECTIVE_CALL(Reduce, Ireduce, (const void* b, void* q, COUNT n, MPI_Datatype t, MPI_Op p, int o, MPI_Comm c),
                (b, q, n, t, p, o, c), collective("reduce", bytes_of(n, t), o, c))
COLLECTIVE_CALL(Allreduce, Iallreduce, (const void* b, void* q, COUNT n, MPI_Datatype t, MPI_Op p, MPI_Comm c),
                (b, q, n, t, p, c), collective("allreduce", bytes_of(n, t), 0, c))
COLLECTIVE_CALL(Scan, Iscan, (const void* b, void* q, COUNT n, MPI_Datatype t, MPI_Op p, MPI_Comm c),
                (b, q, n, t, p, c), collective("scan", bytes_of(n, t), 0, c))
COLLECTIVE_CALL(Exscan, Iexscan, (const void* b, void* q, COUNT n, MPI_Datatype t, MPI_Op p, MPI_Comm c),
                (b, q, n, t, p, c), collective("scan", bytes_of(n, t), 0, c))
COLLECTIVE_CALL(Allgather, Iallgather,
                (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, MPI_Comm c),
                (b, n, t, q, m, u, c), collective("allgather", block(b, n, t, m, u), 0, c))
COLLECTIVE_CALL(Alltoall, Ialltoall,
                (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, MPI_Comm c),
                (b, n, t, q, m, u, c), collective("alltoall", block(b, n, t, m, u), 0, c))
COLLECTIVE_CALL(Gather, Igather,
                (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, int o, MPI_Comm c),
                (b, n, t, q, m, u, o, c), collective("gather", block(b, n, t, m, u), o, c))
COLLECTIVE_CALL(Scatter, Iscatter,
                (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, int o, MPI_Comm c),
                (b, n, t, q, m, u, o, c),
                collective("scatter", rank_in(c) == o ? bytes_of(n, t) : bytes_of(m, u), o, c))
COLLECTIVE_CALL(Reduce_scatter_block, Ireduce_scatter_block,
                (const void* b, void* q, COUNT n, MPI_Datatype t, MPI_Op p, MPI_Comm c), (b, q, n, t, p, c),
                collective("reduce_scatter", bytes_of(n, t), 0, c))

COLLECTIVE_CALL(Reduce_scatter, Ireduce_scatter,
                (const void* b, void* q, const COUNT n[], MPI_Datatype t, MPI_Op p, MPI_Comm c), (b, q, n, t, p, c),
                add_common_counts(collective("reduce_scatter", 0, 0, c), c, n, t))
COLLECTIVE_CALL(Allgatherv, Iallgatherv,
                (const void* b, COUNT n, MPI_Datatype t, void* q, const COUNT m[], const PLACE e[], MPI_Datatype u,
                 MPI_Comm c),
                (b, n, t, q, m, e, u, c), add_common_counts(collective("allgather", 0, 0, c), c, m, u))
COLLECTIVE_CALL(Gatherv, Igatherv,
                (const void* b, COUNT n, MPI_Datatype t, void* q, const COUNT m[], const PLACE e[], MPI_Datatype u,
                 int o, MPI_Comm c),
                (b, n, t, q, m, e, u, o, c), collective("gatherv", b == MPI_IN_PLACE ? 0 : bytes_of(n, t), o, c))
COLLECTIVE_CALL(Scatterv, Iscatterv,
                (const void* b, const COUNT n[], const PLACE e[], MPI_Datatype t, void* q, COUNT m, MPI_Datatype u,
                 int o, MPI_Comm c),
                (b, n, e, t, q, m, u, o, c), {
                  struct event* one = collective("scatterv", 0, o, c);
                  if (rank_in(c) == o) add_counts(one, c, n, t, NULL);
                })
COLLECTIVE_CALL(Alltoallv, Ialltoallv,
                (const void* b, const COUNT n[], const PLACE e[], MPI_Datatype t, void* q, const COUNT m[],
                 const PLACE f[], MPI_Datatype u, MPI_Comm c),
                (b, n, e, t, q, m, f, u, c),
                add_counts(collective("alltoall", 0, 0, c), c, b == MPI_IN_PLACE ? m : n, b == MPI_IN_PLACE ? u : t,
                           NULL))
COLLECTIVE_CALL(Alltoallw, Ialltoallw,
                (const void* b, const COUNT n[], const PLACE e[], const MPI_Datatype t[], void* q, const COUNT m[],
                 const PLACE f[], const MPI_Datatype u[], MPI_Comm c),
                (b, n, e, t, q, m, f, u, c),
                add_counts(collective("alltoall", 0, 0, c), c, b == MPI_IN_PLACE ? m : n, MPI_DATATYPE_NULL,
                           b == MPI_IN_PLACE ? u : t))
