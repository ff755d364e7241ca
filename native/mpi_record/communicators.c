#define _GNU_SOURCE
#include "communicators.h"

#include <stdlib.h>
#include <string.h>

#include "../mpi_preloaded/world_ranks.h"

struct group {
  char* name;
  int members;
  int* world;
};

/* What is kept with a communicator. It is another's once the handle is. */
struct known {
  int group, neighbours;
  long made;
};

static struct group* groups;
static int many;
static int key = MPI_KEYVAL_INVALID;

static char* text(const char* format, const char* name, long number) {
  char* found = NULL;
  if (asprintf(&found, format, name, number) < 0) abort();
  return found;
}

static int forget(MPI_Comm comm, int own_key, void* known, void* none) {
  (void)comm, (void)own_key, (void)none;
  free(known);
  return MPI_SUCCESS;
}

int has_two_groups(MPI_Comm comm) {
  int two = 0;
  PMPI_Comm_test_inter(comm, &two);
  return two;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  if (has_two_groups(comm)) {
    PMPI_Comm_remote_size(comm, &size);
  } else {
    PMPI_Comm_size(comm, &size);
  }
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

static int has(const struct group* group, const char* name, int members, const int* world) {
  return strcmp(group->name, name) == 0 && group->members == members &&
         memcmp(group->world, world, (size_t)members * sizeof *world) == 0;
}

/* The number of a name's group with these ranks; of a new one with a copy of them, or -1 if `find` is asked. */
static int numbered(const char* name, int members, const int* world, int find) {
  for (int at = many; --at >= 0;) {
    if (has(&groups[at], name, members, world)) return at;
  }
  if (find) return -1;
  groups = realloc(groups, (size_t)(many + 1) * sizeof *groups);
  int* own = malloc((size_t)members * sizeof *own);
  if (groups == NULL || own == NULL) abort();
  memcpy(own, world, (size_t)members * sizeof *own);
  groups[many] = (struct group){.name = text("%s", name, 0), .members = members, .world = own};
  return many++;
}

static int* ranks_of(MPI_Comm comm, int* members) {
  *members = size_of(comm);
  int* world = world_ranks_of(comm, *members);
  if (world == NULL) abort();
  return world;
}

static struct known* keep(const char* name, MPI_Comm comm) {
  struct known* one = malloc(sizeof *one);
  if (one == NULL) abort();
  *one = (struct known){.group = TWO_GROUPS, .neighbours = -1};
  if (!has_two_groups(comm)) {
    int members;
    int* world = ranks_of(comm, &members);
    one->group = numbered(name, members, world, 0);
    free(world);
  }
  PMPI_Comm_set_attr(comm, key, one);
  return one;
}

static struct known* known(MPI_Comm comm) {
  struct known* one = NULL;
  int found = 0;
  PMPI_Comm_get_attr(comm, key, (void*)&one, &found);
  return found ? one : keep("?", comm); /* made by a call that is not known here */
}

void know_the_world(void) {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
  keep("world", MPI_COMM_WORLD);
  keep("self", MPI_COMM_SELF);
}

int group_of(MPI_Comm comm) { return known(comm)->group; }

int neighbours_group_of(MPI_Comm comm) {
  struct known* one = known(comm);
  if (one->neighbours < 0 && one->group >= 0) {
    char* name = text("%s neighbours", groups[one->group].name, 0);
    one->neighbours = numbered(name, groups[one->group].members, groups[one->group].world, 0);
    free(name);
  }
  return one->neighbours;
}

int world_rank_of(int group, int rank) { return groups[group].world[rank]; }

char* next_name(MPI_Comm parent) {
  struct known* one = known(parent);
  return text("%s.%ld", one->group < 0 ? "between" : groups[one->group].name, one->made++);
}

void made_as(const char* name, MPI_Comm made) {
  if (made != MPI_COMM_NULL) keep(name, made);
}

void made_from(MPI_Comm parent, MPI_Comm made) {
  char* name = next_name(parent);
  made_as(name, made);
  free(name);
}

void made_apart(MPI_Comm made) {
  if (made == MPI_COMM_NULL) return;
  if (has_two_groups(made)) {
    keep("between", made);
    return;
  }
  int members;
  int* world = ranks_of(made, &members);
  char* name = NULL;
  long number = 0;
  do {
    free(name);
    name = text("%s.%ld", "apart", number++);
  } while (numbered(name, members, world, 1) >= 0);
  keep(name, made);
  free(name);
  free(world);
}

void write_groups(FILE* file) {
  for (int at = 0; at < many; ++at) {
    fprintf(file, "%s{\"name\":\"%s\",\"ranks\":[", at == 0 ? "" : ",", groups[at].name);
    for (int i = 0; i < groups[at].members; ++i) fprintf(file, "%s%d", i == 0 ? "" : ",", groups[at].world[i]);
    fprintf(file, "]}");
  }
}
