/* Who exchanges blocks with this rank in neighbourhood collectives. */
#pragma once
#include <mpi.h>

struct neighbours {
  int sources, destinations;
  int *from, *to; /* in the order of the blocks; the caller frees both */
  int in_pairs;   /* a grid's: what goes down in a dimension comes from above, so that block i meets block i ^ 1 */
};

struct neighbours neighbours_of(MPI_Comm comm);
