/* Which ranks of MPI_COMM_WORLD a communicator has. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

/* By rank in the communicator, of one group and so many members; MPI_UNDEFINED for one that is elsewhere. NULL without
   memory; the caller frees it. */
static inline int* world_ranks_of(MPI_Comm comm, int members) {
  int* ranks = malloc(2 * (size_t)members * sizeof *ranks);
  if (ranks == NULL) return NULL;
  int* own = ranks + members;
  for (int at = 0; at < members; ++at) own[at] = at;
  MPI_Group group, all;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(group, members, own, all, ranks);
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  return ranks;
}
