/* Neighbourhood collectives: the messages to the neighbours and from them. Included once for each kind of count. */
#include <stdlib.h>

#include "calls.h"
#include "topology.h"

/* Add what is exchanged, and return how many events that is. A block goes to each neighbour, or block i to neighbour i
   where there are `counts`. */
static int exchange(MPI_Comm c, COUNT n, const COUNT* counts, MPI_Datatype type, const MPI_Datatype* types) {
  const struct neighbours all = neighbours_of(c);
  int events = 0;
  const int group = neighbours_group_of(c);
  for (int i = 0; i < all.sources; ++i) {
    if (all.from[i] == MPI_PROC_NULL) continue;
    message_in(group, RECEIVE, 0, all.from[i], all.in_pairs ? i ^ 1 : 0);
    ++events;
  }
  for (int i = 0; i < all.destinations; ++i) {
    if (all.to[i] == MPI_PROC_NULL) continue;
    const long long bytes = bytes_of(counts == NULL ? n : counts[i], types == NULL ? type : types[i]);
    message_in(group, SEND, bytes, all.to[i], all.in_pairs ? i : 0);
    ++events;
  }
  free(all.from);
  free(all.to);
  return events;
}

#define OF_NEIGHBOURS(name, iname, parameters, arguments, events)              \
  CALL(name, (EACH_OF parameters), (EACH_OF arguments), wait_for_last(events)) \
  CALL(iname, (EACH_OF parameters, MPI_Request * r), (EACH_OF arguments, r), under_way(events, *r))

OF_NEIGHBOURS(Neighbor_allgather, Ineighbor_allgather,
              (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, MPI_Comm c),
              (b, n, t, q, m, u, c), exchange(c, n, NULL, t, NULL))
OF_NEIGHBOURS(Neighbor_allgatherv, Ineighbor_allgatherv,
              (const void* b, COUNT n, MPI_Datatype t, void* q, const COUNT m[], const PLACE e[], MPI_Datatype u,
               MPI_Comm c),
              (b, n, t, q, m, e, u, c), exchange(c, n, NULL, t, NULL))
OF_NEIGHBOURS(Neighbor_alltoall, Ineighbor_alltoall,
              (const void* b, COUNT n, MPI_Datatype t, void* q, COUNT m, MPI_Datatype u, MPI_Comm c),
              (b, n, t, q, m, u, c), exchange(c, n, NULL, t, NULL))
OF_NEIGHBOURS(Neighbor_alltoallv, Ineighbor_alltoallv,
              (const void* b, const COUNT n[], const PLACE e[], MPI_Datatype t, void* q, const COUNT m[],
               const PLACE f[], MPI_Datatype u, MPI_Comm c),
              (b, n, e, t, q, m, f, u, c), exchange(c, 0, n, t, NULL))
OF_NEIGHBOURS(Neighbor_alltoallw, Ineighbor_alltoallw,
              (const void* b, const COUNT n[], const MPI_Aint e[], const MPI_Datatype t[], void* q, const COUNT m[],
               const MPI_Aint f[], const MPI_Datatype u[], MPI_Comm c),
              (b, n, e, t, q, m, f, u, c), exchange(c, 0, n, MPI_DATATYPE_NULL, t))
