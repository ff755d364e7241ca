#define _GNU_SOURCE
#include "events.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "calls.h"

/* Events of all ranks together: what is read and replayed in a few GiB. */
enum { POLL_LOOP_NS = 2000, MOST_EVENTS = 8000000 };

static struct event* events;
static size_t many, room;
static size_t most = MOST_EVENTS; /* of this rank */
static int recording, full, depth, world_rank, failed_poll;
static __thread int own_thread;
static atomic_int other_threads; /* whether some thread beside that one has called MPI */
static long long left_ns, begun_ns;

void* next_of(const char* name) {
  void* next = dlsym(RTLD_NEXT, name);
  if (next == NULL) {
    fprintf(stderr, "rooftop: %s is in no library behind the one that records MPI calls\n", name);
    abort();
  }
  return next;
}

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int recorded(void) { return recording && own_thread && depth == 1; }

void begin(void) {
  if (recording || getenv("ROOFTOP_MPI_RECORD") == NULL) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  most /= (size_t)size_of(MPI_COMM_WORLD);
  know_the_world();
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

size_t number_of_events(void) { return many; }

struct event* event_at(size_t number) { return &events[number]; }

struct event taken_back(void) { return events[--many]; }

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
  if (many <= most) return;
  full = 1; /* nothing more is kept, nor is this */
  recording = 0;
  free(events);
  events = NULL;
}

void polled(void) {
  if (!recording || !own_thread || --depth != 0) return;
  failed_poll = 1;
  left_ns = now_ns();
}

long long bytes_of(long long count, MPI_Datatype type) {
  int size = 0;
  if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

struct event* message_in(int group, enum what what, long long bytes, int peer, int tag) {
  if (group < 0) not_simulated("MPI between two groups"); /* first: what is added next moves the events */
  struct event* one = add(what);
  one->bytes = bytes;
  one->group = group;
  one->partner = group >= 0 && peer >= 0 ? world_rank_of(group, peer) : peer;
  one->tag = tag;
  return one;
}

struct event* message(enum what what, long long bytes, int peer, int tag, MPI_Comm comm) {
  return message_in(group_of(comm), what, bytes, peer, tag);
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

void came(struct event* event, const MPI_Status* status) {
  if (event->what != RECEIVE || event->group < 0) return;
  if (event->partner == MPI_ANY_SOURCE && status->MPI_SOURCE >= 0) {
    event->partner = world_rank_of(event->group, status->MPI_SOURCE);
  }
  if (event->tag == MPI_ANY_TAG) event->tag = status->MPI_TAG;
}

static void write_event(FILE* file, const struct event* one) {
  static const char* const names[] = {"work", "send", "recv", "wait"};
  if (one->what == NOTHING) return;
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
  if ((!recording && !full) || folder == NULL) return;
  if (recording) {
    enter(); /* work after the last call */
    leave();
  }
  if (recording) {
    wait_for_all();
    recording = 0;
    if (other_threads) not_simulated("MPI from several threads");
  }
  char* path = NULL;
  if (asprintf(&path, "%s/%d", folder, world_rank) < 0) abort();
  FILE* file = fopen(path, "w");
  free(path);
  if (file == NULL) {
    perror("rooftop: a recording cannot be written");
    return;
  }
  fprintf(file, "{\"seconds\":%.9f,\"groups\":[", 1e-9 * (double)(now_ns() - begun_ns));
  write_groups(file);
  fprintf(file, "]}\n");
  if (full) fprintf(file, "{\"op\":\"too_many\",\"most\":%zu}\n", most);
  for (size_t i = 0; !full && i < many; ++i) write_event(file, &events[i]);
  fprintf(file, "{\"op\":\"end\"}\n"); /* a file system that is full leaves a part that ends with a line, too */
  if (fclose(file) != 0) perror("rooftop: a recording cannot be written");
}
