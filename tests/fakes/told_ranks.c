#define _GNU_SOURCE
// An MPI program that says where each of its ranks ran: a line "RANK HOST NODE" for each, in the file of its argument.
// Several nodes of Slurm may have one host's name, and launchers give ranks the environment of the first: the node is
// what the environment of the daemon says that started the rank.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void node_of_parent(char* node, size_t size) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/environ", (int)getppid());
  FILE* file = fopen(name, "r");
  char* one = NULL;
  size_t room = 0;
  while (file != NULL && getdelim(&one, &room, 0, file) > 0)
    if (strncmp(one, "SLURMD_NODENAME=", 16) == 0) snprintf(node, size, "%s", one + 16);
  free(one);
  if (file != NULL) fclose(file);
}

// With MPICH 4.0 on UCX a rank in MPI_Finalize waits for connections that are half made, and never ends where the
// others wait in their barrier already, which makes no progress. Whoever has heard twice from everybody has whole ones.
static void meet_all(int ranks) {
  char* ours = calloc((size_t)ranks, 1);
  char* theirs = calloc((size_t)ranks, 1);
  for (int round = 0; round < 2; ++round) MPI_Alltoall(ours, 1, MPI_CHAR, theirs, 1, MPI_CHAR, MPI_COMM_WORLD);
  free(ours);
  free(theirs);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char line[256] = {0}, host[64] = {0}, node[64] = "-";
  gethostname(host, sizeof host - 1);
  const char* own = getenv("SLURMD_NODENAME");
  if (own != NULL) snprintf(node, sizeof node, "%s", own);
  node_of_parent(node, sizeof node);
  snprintf(line, sizeof line, "%d %s %s", rank, host, node);
  char* all = calloc((size_t)ranks, sizeof line);
  MPI_Gather(line, sizeof line, MPI_CHAR, all, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0 && argc > 1) {
    FILE* file = fopen(argv[1], "w");
    for (int one = 0; file != NULL && one < ranks; ++one) fprintf(file, "%s\n", all + (size_t)one * sizeof line);
    if (file != NULL) fclose(file);
  }
  free(all);
  meet_all(ranks);
  return MPI_Finalize();
}
