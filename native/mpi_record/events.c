#define _GNU_SOURCE
#include "events.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../mpi_preloaded/world_ranks.h"

struct request {
  struct request* next;
  MPI_Request handle;
  size_t event;         /* of one that is under way */
  struct event pattern; /* of a persistent one */
  int persistent, active;
};

struct group {
  MPI_Comm comm;
  int members, own;
  int* world;
};

enum { BUCKETS = 1024, POLL_LOOP_NS = 2000 };

static struct event* events;
static size_t many, room;
static struct request* requests[BUCKETS];
static struct group* groups;
static int known_groups;
static int recording, depth, world_rank, next_request, failed_poll;
static __thread int own_thread;
static atomic_int other_threads; /* whether some thread beside that one has called MPI */
static long long left_ns, begun_ns;

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int recorded(void) { return recording && own_thread && depth == 1; }

void begin(void) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  own_thread = recording = 1;
  left_ns = begun_ns = now_ns();
}

struct event* add(enum what what) {
  if (many == room) {
    room = room == 0 ? 4096 : 2 * room;
    events = realloc(events, room * sizeof *events);
    if (events == NULL) {
      fprintf(stderr, "rooftop: no memory for %zu recorded calls\n", room);
      abort();
    }
  }
  struct event* one = &events[many++];
  *one = (struct event){.what = what, .partner = -1, .request = NO_REQUEST};
  return one;
}

void enter(void) {
  if (recording && !own_thread) other_threads = 1;
  if (!recording || !own_thread || ++depth != 1) return;
  const long long worked_ns = now_ns() - left_ns;
  if (failed_poll && worked_ns < POLL_LOOP_NS) return;
  struct event* last = many > 0 && events[many - 1].what == WORK ? &events[many - 1] : add(WORK);
  last->ns += worked_ns;
  last->polls += failed_poll;
}

void leave(void) {
  if (!recording || !own_thread || --depth != 0) return;
  failed_poll = 0;
  left_ns = now_ns();
}

void polled(void) {
  if (!recording || !own_thread || --depth != 0) return;
  failed_poll = 1;
  left_ns = now_ns();
}

long long bytes_of(long long count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

int size_of(MPI_Comm comm) {
  int size = 0, inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) {
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

/* The number of a communicator's group. Asked each time, since another may have got its handle. */
static int group_of(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return -1;
  const int members = size_of(comm);
  int* world = world_ranks_of(comm, members);
  if (world == NULL) abort();
  for (int at = 0; at < known_groups; ++at) {
    int same = groups[at].members == members;
    for (int i = 0; same && i < members; ++i) same = groups[at].world[i] == world[i];
    if (same) {
      free(world);
      return at;
    }
  }
  groups = realloc(groups, (size_t)(known_groups + 1) * sizeof *groups);
  if (groups == NULL) abort();
  groups[known_groups] = (struct group){.comm = comm, .members = members, .world = world};
  return known_groups++;
}

struct event* message(enum what what, long long bytes, int peer, int tag, MPI_Comm comm) {
  const int group = group_of(comm);
  if (group < 0) not_simulated("MPI between two groups"); /* first: what is added next moves the events */
  struct event* one = add(what);
  one->bytes = bytes;
  one->group = group;
  one->partner = group >= 0 && peer >= 0 ? groups[group].world[peer] : peer;
  one->tag = tag;
  return one;
}

struct event* collective(const char* name, long long bytes, int root, MPI_Comm comm) {
  const int group = group_of(comm);
  if (group < 0) not_simulated("MPI between two groups");
  struct event* one = add(COLLECTIVE);
  one->name = name;
  one->bytes = bytes;
  one->root = root;
  one->group = group;
  return one;
}

void not_simulated(const char* name) { add(NOT_SIMULATED)->name = name; }

static struct request** place_of(MPI_Request handle) {
  const uintptr_t mixed = (uintptr_t)handle * 0x9E3779B97F4A7C15u;
  struct request** at = &requests[mixed >> 54];
  while (*at != NULL && (*at)->handle != handle) at = &(*at)->next;
  return at;
}

/* Behind those of the same handle: libraries give small sends that have left already one handle for all of them. */
static void keep(struct request request) {
  struct request** at = place_of(request.handle);
  while (*at != NULL) at = &(*at)->next;
  *at = malloc(sizeof **at);
  if (*at == NULL) abort();
  **at = request;
}

void under_way(struct event* event, MPI_Request request) {
  event->request = next_request++;
  keep((struct request){.handle = request, .event = (size_t)(event - events), .active = 1});
}

void will(enum what what, long long bytes, int peer, int tag, MPI_Comm comm, MPI_Request request) {
  const struct event pattern = *message(what, bytes, peer, tag, comm);
  --many;
  keep((struct request){.handle = request, .pattern = pattern, .persistent = 1});
}

void started(MPI_Request request) {
  struct request* one = *place_of(request);
  if (one == NULL || !one->persistent) return not_simulated("MPI_Start of a request that was made before");
  if (one->pattern.partner == MPI_PROC_NULL) return;
  struct event* event = add(one->pattern.what);
  *event = one->pattern;
  event->request = next_request++;
  one->event = (size_t)(event - events);
  one->active = 1;
}

void freed(MPI_Request request) {
  struct request** at = place_of(request);
  struct request* one = *at;
  if (one == NULL) return;
  if (one->active) not_simulated("MPI_Request_free of a request that is under way");
  *at = one->next;
  free(one);
}

void came(struct event* event, const MPI_Status* status) {
  if (event->what != RECEIVE || event->group < 0) return;
  if (event->partner == MPI_ANY_SOURCE && status->MPI_SOURCE >= 0) {
    event->partner = groups[event->group].world[status->MPI_SOURCE];
  }
  if (event->tag == MPI_ANY_TAG) event->tag = status->MPI_TAG;
}

void ended(MPI_Request request, const MPI_Status* status) {
  struct request** at = place_of(request);
  struct request* one = *at;
  if (one == NULL || !one->active) return;
  came(&events[one->event], status);
  const int number = events[one->event].request;
  add(WAIT)->request = number;
  one->active = 0;
  if (one->persistent) return;
  *at = one->next;
  free(one);
}

static void write_event(FILE* file, const struct event* one) {
  static const char* const names[] = {"work", "send", "recv", "wait"};
  if (one->what == WORK) {
    fprintf(file, "{\"op\":\"work\",\"seconds\":%.9f,\"polls\":%d}\n", 1e-9 * (double)one->ns, one->polls);
  } else if (one->what == WAIT) {
    fprintf(file, "{\"op\":\"wait\",\"requests\":[%d]}\n", one->request);
  } else if (one->what == NOT_SIMULATED) {
    fprintf(file, "{\"op\":\"not_simulated\",\"name\":\"%s\"}\n", one->name);
  } else {
    const char* name = one->what == COLLECTIVE ? one->name : names[one->what];
    fprintf(file, "{\"op\":\"%s\",\"bytes\":%lld,\"group\":%d", name, one->bytes, one->group);
    if (one->what == COLLECTIVE) {
      fprintf(file, ",\"root\":%d", one->root);
      for (int i = 0; one->counts != NULL && i < one->members; ++i) {
        fprintf(file, "%s%lld", i == 0 ? ",\"counts\":[" : ",", one->counts[i]);
      }
      if (one->counts != NULL) fprintf(file, "]");
    } else {
      fprintf(file, ",\"%s\":%d,\"tag\":%d", one->what == SEND ? "to" : "from", one->partner, one->tag);
    }
    if (one->request != NO_REQUEST) fprintf(file, ",\"request\":%d", one->request);
    fprintf(file, "}\n");
  }
}

void end(void) {
  const char* folder = getenv("ROOFTOP_MPI_RECORD");
  if (!recording || folder == NULL) return;
  recording = 0;
  if (other_threads) not_simulated("MPI from several threads");
  char* path = NULL;
  if (asprintf(&path, "%s/%d", folder, world_rank) < 0) abort();
  FILE* file = fopen(path, "w");
  free(path);
  if (file == NULL) {
    perror("rooftop: a recording cannot be written");
    return;
  }
  fprintf(file, "{\"seconds\":%.9f,\"groups\":[", 1e-9 * (double)(now_ns() - begun_ns));
  for (int at = 0; at < known_groups; ++at) {
    fprintf(file, "%s[", at == 0 ? "" : ",");
    for (int i = 0; i < groups[at].members; ++i) fprintf(file, "%s%d", i == 0 ? "" : ",", groups[at].world[i]);
    fprintf(file, "]");
  }
  fprintf(file, "]}\n");
  for (size_t i = 0; i < many; ++i) write_event(file, &events[i]);
  fclose(file);
}
