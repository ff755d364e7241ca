#include "topology.h"

#include <stdlib.h>

static int* list(int members) {
  int* found = malloc((size_t)(members > 0 ? members : 1) * sizeof *found);
  if (found == NULL) abort();
  return found;
}

static struct neighbours found(int sources, int destinations) {
  return (struct neighbours){
      .sources = sources, .destinations = destinations, .from = list(sources), .to = list(destinations)};
}

struct neighbours neighbours_of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, many = 0, in = 0, weighted = 0, rank = 0;
  struct neighbours all;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) {
    PMPI_Cartdim_get(comm, &many);
    all = found(2 * many, 2 * many);
    all.in_pairs = 1;
    for (int at = 0; at < many; ++at) {
      PMPI_Cart_shift(comm, at, 1, &all.to[2 * at], &all.to[2 * at + 1]);
      all.from[2 * at] = all.to[2 * at];
      all.from[2 * at + 1] = all.to[2 * at + 1];
    }
  } else if (kind == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &many);
    all = found(many, many);
    PMPI_Graph_neighbors(comm, rank, many, all.from);
    PMPI_Graph_neighbors(comm, rank, many, all.to);
  } else if (kind == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &in, &many, &weighted);
    all = found(in, many);
    int *came = list(in), *went = list(many);
    PMPI_Dist_graph_neighbors(comm, in, all.from, came, many, all.to, went);
    free(came);
    free(went);
  } else {
    all = found(0, 0);
  }
  return all;
}
