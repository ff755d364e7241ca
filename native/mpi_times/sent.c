/* What calls send, and the facts about communicators that it takes: found once for each, and kept until it ends. */
#include "sent.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "../mpi_preloaded/world_ranks.h"

struct facts {
  struct facts* next;
  MPI_Comm comm;
  int rank, members, receivers, neighbours;
  int* world; /* the ranks in MPI_COMM_WORLD by rank here, NONE for one elsewhere; NULL with two groups */
};

struct request {
  struct request* next;
  MPI_Request request;
  long long bytes;
  int peer;  /* in MPI_COMM_WORLD, or NONE */
  int sends; /* not to MPI_PROC_NULL */
};

enum { BUCKETS = 256, NEAR = 8, NONE = -1 };

static struct facts* known[BUCKETS];
static struct request* requests[BUCKETS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned forgotten = 1; /* how often something was, and one */
static OF_THREAD struct {
  MPI_Comm comm;
  const struct facts* facts;
  unsigned forgotten; /* when the facts were looked up; those of another communicator may be no more */
} near[NEAR];

/* A handle is a pointer or a number with a kind in its upper bits. */
static unsigned place(uintptr_t handle) { return (unsigned)((handle * 0x9E3779B97F4A7C15u) >> 56) % BUCKETS; }

static int neighbours_found(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, many = 0, in = 0, weighted = 0;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART && PMPI_Cartdim_get(comm, &many) == MPI_SUCCESS) return 2 * many;
  if (kind == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &many);
  } else if (kind == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &in, &many, &weighted);
  }
  return many;
}

static struct facts* find_out(MPI_Comm comm) {
  struct facts* found = calloc(1, sizeof *found);
  if (found == NULL) abort();
  int two_groups = 0;
  found->comm = comm;
  PMPI_Comm_rank(comm, &found->rank);
  PMPI_Comm_size(comm, &found->members);
  PMPI_Comm_test_inter(comm, &two_groups);
  if (two_groups) {
    PMPI_Comm_remote_size(comm, &found->receivers);
  } else {
    found->receivers = found->members;
    found->neighbours = neighbours_found(comm);
    found->world = world_ranks_of(comm, found->members);
    for (int at = 0; found->world != NULL && at < found->members; ++at) {
      if (found->world[at] == MPI_UNDEFINED) found->world[at] = NONE;
    }
  }
  return found;
}

static const struct facts* facts_of(MPI_Comm comm) {
  const unsigned bucket = place((uintptr_t)comm);
  const unsigned now = __atomic_load_n(&forgotten, __ATOMIC_ACQUIRE);
  if (near[bucket % NEAR].forgotten == now && near[bucket % NEAR].comm == comm) return near[bucket % NEAR].facts;
  pthread_mutex_lock(&mutex);
  struct facts* found = known[bucket];
  while (found != NULL && found->comm != comm) found = found->next;
  if (found == NULL) {
    found = find_out(comm);
    found->next = known[bucket];
    known[bucket] = found;
  }
  near[bucket % NEAR].comm = comm;
  near[bucket % NEAR].facts = found;
  near[bucket % NEAR].forgotten = now;
  pthread_mutex_unlock(&mutex);
  return found;
}

void forget(MPI_Comm comm) {
  pthread_mutex_lock(&mutex);
  struct facts** link = &known[place((uintptr_t)comm)];
  while (*link != NULL && (*link)->comm != comm) link = &(*link)->next;
  struct facts* found = *link;
  if (found != NULL) {
    *link = found->next;
    __atomic_add_fetch(&forgotten, 1, __ATOMIC_RELEASE);
    free(found->world);
    free(found);
  }
  pthread_mutex_unlock(&mutex);
}

long long bytes_of(long long count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return 0;
  return size == MPI_UNDEFINED ? 0 : count * size;
}

long long sum_of(const int* counts, int many) {
  long long sum = 0;
  for (int at = 0; at < many; ++at) sum += counts[at];
  return sum;
}

int members(MPI_Comm comm) { return facts_of(comm)->members; }
int receivers(MPI_Comm comm) { return facts_of(comm)->receivers; }
int neighbours(MPI_Comm comm) { return facts_of(comm)->neighbours; }
int rank_in(MPI_Comm comm) { return facts_of(comm)->rank; }

int is_root(int root, MPI_Comm comm) {
  if (root < 0) return root == MPI_ROOT;
  const struct facts* facts = facts_of(comm);
  return facts->world != NULL && facts->rank == root;
}

static int in_world(int peer, MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return peer < world_ranks ? peer : NONE;
  const struct facts* facts = facts_of(comm);
  return facts->world != NULL && peer < facts->members ? facts->world[peer] : NONE;
}

static void add_message(struct tally* tally, enum call call, long long bytes, int peer) {
  tally->of[call].bytes += bytes;
  if (peer == NONE) return;
  if (tally->to == NULL && (tally->to = calloc((size_t)world_ranks, sizeof *tally->to)) == NULL) return;
  ++tally->to[peer].messages;
  tally->to[peer].bytes += bytes;
}

void message(struct tally* tally, enum call call, int count, MPI_Datatype type, int peer, MPI_Comm comm) {
  if (peer >= 0) add_message(tally, call, bytes_of(count, type), in_world(peer, comm));
}

/* Return what is kept of a request, made if it is new; a request's handle may have been another's, which has ended. */
static struct request* kept(MPI_Request request, int make) {
  struct request** bucket = &requests[place((uintptr_t)request)];
  for (struct request* one = *bucket; one != NULL; one = one->next) {
    if (one->request == request) return one;
  }
  struct request* one = make ? calloc(1, sizeof *one) : NULL;
  if (one != NULL) {
    one->request = request;
    one->next = *bucket;
    *bucket = one;
  }
  return one;
}

static void keep(MPI_Request request, long long bytes, int peer, int sends) {
  pthread_mutex_lock(&mutex);
  struct request* one = kept(request, sends);
  if (one != NULL) {
    one->bytes = bytes;
    one->peer = peer;
    one->sends = sends;
  }
  pthread_mutex_unlock(&mutex);
}

void will_send(MPI_Request request, int count, MPI_Datatype type, int peer, MPI_Comm comm) {
  const int world = peer >= 0 ? in_world(peer, comm) : NONE;
  keep(request, peer >= 0 ? bytes_of(count, type) : 0, world, peer >= 0);
}

void will_receive(MPI_Request request) { keep(request, 0, NONE, 0); }

void started(struct tally* tally, enum call call, MPI_Request request) {
  pthread_mutex_lock(&mutex);
  const struct request* one = kept(request, 0);
  const struct request found = one != NULL ? *one : (struct request){.peer = NONE};
  pthread_mutex_unlock(&mutex);
  if (found.sends) add_message(tally, call, found.bytes, found.peer);
}
