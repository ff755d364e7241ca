/* A library that is preloaded into a program and records its MPI calls, by MPI's profiling interface (MPI 4.0, chapter
   15). events.c keeps what they exchange; not_simulated.c names the others. */
#include <mpi.h>
#include <stdlib.h>

#include "calls.h"
/* After calls.h, whose NEXT it takes. */
#include "../mpi_preloaded/begin_and_end.h"
#include "collectives.h"
#include "neighbours.h"
#include "point_to_point.h"

CALL(Start, (MPI_Request * r), (r), started(*r))
CALL(Startall, (int n, MPI_Request r[]), (n, r), for (int i = 0; i < n; ++i) started(r[i]))
CALL(Cancel, (MPI_Request * r), (r), (void)0)
CALL(Barrier, (MPI_Comm c), (c), collective("barrier", 0, 0, c))
CALL(Ibarrier, (MPI_Comm c, MPI_Request* r), (c, r), {
  collective("barrier", 0, 0, c);
  under_way(1, *r);
})
#if MPI_VERSION >= 4
CALL(Barrier_init, (MPI_Comm c, MPI_Info i, MPI_Request* r), (c, i, r), {
  collective("barrier", 0, 0, c);
  persistent(*r);
})
#endif

SHOWN int MPI_Request_free(MPI_Request* r) {
  const MPI_Request own = *r;
  MPI_Status status;
  int has = 0;
  enter();
  if (recorded() && own != MPI_REQUEST_NULL) NEXT(Request_get_status)(own, &has, &status);
  const int result = NEXT(Request_free)(r);
  if (recorded() && result == MPI_SUCCESS) freed(own, has ? &status : NULL);
  leave();
  return result;
}
ALSO_BY_PMPI(Request_free)

/* Probes and tests that find nothing are polls; what is found is received or waited for. */
CALL(Probe, (int s, int g, MPI_Comm c, MPI_Status* a), (s, g, c, a), (void)0)
WITH_STATUS(Mprobe, (int s, int g, MPI_Comm c, MPI_Message* m, MPI_Status* a), (s, g, c, m, a), matched(*m, a, c))

#define POLL(name, parameters, arguments, found)         \
  SHOWN int MPI_##name parameters {                      \
    enter();                                             \
    const int result = NEXT(name) arguments;             \
    const int has = result == MPI_SUCCESS && *flag != 0; \
    if (has && recorded()) {                             \
      found;                                             \
    }                                                    \
    if (has) {                                           \
      leave();                                           \
    } else {                                             \
      polled();                                          \
    }                                                    \
    return result;                                       \
  }                                                      \
  ALSO_BY_PMPI(name)
POLL(Iprobe, (int s, int g, MPI_Comm c, int* flag, MPI_Status* a), (s, g, c, flag, a), (void)0)
POLL(Request_get_status, (MPI_Request r, int* flag, MPI_Status* a), (r, flag, a), (void)0)

SHOWN int MPI_Improbe(int s, int g, MPI_Comm c, int* flag, MPI_Message* m, MPI_Status* a) {
  MPI_Status own;
  enter();
  if (a == MPI_STATUS_IGNORE) a = &own;
  const int result = NEXT(Improbe)(s, g, c, flag, m, a);
  const int has = result == MPI_SUCCESS && *flag != 0;
  if (has && recorded()) matched(*m, a, c);
  if (has) {
    leave();
  } else {
    polled();
  }
  return result;
}
ALSO_BY_PMPI(Improbe)

/* Ends some of the requests, whose handles before the call are `r`: all where `indices` is NULL. */
static void some_ended(int many, const MPI_Request* r, const int* indices, const MPI_Status* statuses) {
  for (int i = 0; i < many; ++i) {
    const MPI_Request one = r[indices == NULL ? i : indices[i]];
    if (one != MPI_REQUEST_NULL) ended(one, &statuses[i]);
  }
}

/* A call on `n` requests `r`, with statuses `own`: `many` of them, at `indices`, have ended if `done`. */
#define ON_REQUESTS(name, parameters, arguments, n, done, many, indices, hand_on) \
  SHOWN int MPI_##name parameters {                                               \
    const int room = (n) > 0 ? (n) : 1;                                           \
    MPI_Request* before = malloc((size_t)room * sizeof *before);                  \
    MPI_Status* own = malloc((size_t)room * sizeof *own);                         \
    if (before == NULL || own == NULL) abort();                                   \
    for (int i = 0; i < (n); ++i) before[i] = r[i];                               \
    enter();                                                                      \
    const int result = NEXT(name) arguments;                                      \
    const int has = result == MPI_SUCCESS && (done);                              \
    if (has) {                                                                    \
      if (recorded()) some_ended(many, before, indices, own);                     \
      leave();                                                                    \
      hand_on;                                                                    \
    } else {                                                                      \
      polled();                                                                   \
    }                                                                             \
    free(before);                                                                 \
    free(own);                                                                    \
    return result;                                                                \
  }                                                                               \
  ALSO_BY_PMPI(name)
#define HAND_ON_ONE \
  if (a != MPI_STATUS_IGNORE) *a = own[0]
#define HAND_ON(many) \
  for (int i = 0; a != MPI_STATUSES_IGNORE && i < (many); ++i) a[i] = own[i]
#define SOME (*many == MPI_UNDEFINED ? 0 : *many)
#define ONE (*index == MPI_UNDEFINED ? 0 : 1)
ON_REQUESTS(Wait, (MPI_Request * r, MPI_Status* a), (r, own), 1, 1, 1, NULL, HAND_ON_ONE)
ON_REQUESTS(Waitall, (int n, MPI_Request r[], MPI_Status a[]), (n, r, own), n, 1, n, NULL, HAND_ON(n))
ON_REQUESTS(Waitany, (int n, MPI_Request r[], int* index, MPI_Status* a), (n, r, index, own), n, 1, ONE, index,
            HAND_ON_ONE)
ON_REQUESTS(Waitsome, (int n, MPI_Request r[], int* many, int* indices, MPI_Status a[]), (n, r, many, indices, own), n,
            1, SOME, indices, HAND_ON(SOME))
ON_REQUESTS(Test, (MPI_Request * r, int* flag, MPI_Status* a), (r, flag, own), 1, *flag, 1, NULL, HAND_ON_ONE)
ON_REQUESTS(Testall, (int n, MPI_Request r[], int* flag, MPI_Status a[]), (n, r, flag, own), n, *flag, n, NULL,
            HAND_ON(n))
ON_REQUESTS(Testany, (int n, MPI_Request r[], int* index, int* flag, MPI_Status* a), (n, r, index, flag, own), n, *flag,
            ONE, index, HAND_ON_ONE)
ON_REQUESTS(Testsome, (int n, MPI_Request r[], int* many, int* indices, MPI_Status a[]), (n, r, many, indices, own), n,
            *many != 0, SOME, indices, HAND_ON(SOME))
