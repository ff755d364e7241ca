/* What makes a communicator has all of its ranks wait for each other. */
#include <stdlib.h>

#include "calls.h"

#define MAKES(name, parameters, arguments) \
  CALL(name, parameters, arguments, {      \
    collective("barrier", 0, 0, c);        \
    made_from(c, *m);                      \
  })
MAKES(Comm_dup, (MPI_Comm c, MPI_Comm* m), (c, m))
MAKES(Comm_dup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm* m), (c, i, m))
MAKES(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm* m), (c, g, m))
MAKES(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm* m), (c, color, key, m))
MAKES(Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm* m), (c, type, key, i, m))
MAKES(Cart_create, (MPI_Comm c, int n, const int d[], const int p[], int reorder, MPI_Comm* m),
      (c, n, d, p, reorder, m))
MAKES(Cart_sub, (MPI_Comm c, const int remain[], MPI_Comm* m), (c, remain, m))
MAKES(Graph_create, (MPI_Comm c, int n, const int index[], const int edges[], int reorder, MPI_Comm* m),
      (c, n, index, edges, reorder, m))
MAKES(Dist_graph_create,
      (MPI_Comm c, int n, const int from[], const int many[], const int to[], const int w[], MPI_Info i, int reorder,
       MPI_Comm* m),
      (c, n, from, many, to, w, i, reorder, m))
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm c, int n, const int from[], const int v[], int k, const int to[], const int w[], MPI_Info i,
       int reorder, MPI_Comm* m),
      (c, n, from, v, k, to, w, i, reorder, m))

CALL(Comm_idup, (MPI_Comm c, MPI_Comm* m, MPI_Request* r), (c, m, r), {
  collective("barrier", 0, 0, c);
  under_way(1, *r);
  makes(m, next_name(c));
})

/* All ranks of the new one take part, and no others. */
#define MAKES_APART(name, parameters, arguments, of)          \
  CALL(                                                       \
      name, parameters, arguments, if (*m != MPI_COMM_NULL) { \
        made_apart(*m);                                       \
        collective("barrier", 0, 0, of);                      \
      })
MAKES_APART(Comm_create_group, (MPI_Comm c, MPI_Group g, int tag, MPI_Comm* m), (c, g, tag, m), *m)
MAKES_APART(Intercomm_create, (MPI_Comm c, int leader, MPI_Comm over, int other, int tag, MPI_Comm* m),
            (c, leader, over, other, tag, m), c)
MAKES_APART(Intercomm_merge, (MPI_Comm c, int high, MPI_Comm* m), (c, high, m), *m)
