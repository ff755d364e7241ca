/* A parallel region while it runs: the thread that meets it begins and ends it, and each thread of its team stays in
   it. Figures are ticks; at its end they are added to those of the place in the program at which it is, its site. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../preload/ticks.h"

#define SHOWN __attribute__((visibility("default")))
/* The library is loaded when the program starts, so its variables of a thread need no function to be found. */
#define OF_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* What a region was seen to use, as bits. rooftop.observe.openmp knows the same. */
enum use {
  USE_STATIC = 1,
  USE_DYNAMIC = 2,
  USE_GUIDED = 4,
  USE_RUNTIME = 8, /* what OMP_SCHEDULE says */
  USE_LOOP = 16,   /* of a schedule that is not known */
  USE_SECTIONS = 32,
  USE_SINGLE = 64,
  USE_TASKS = 128,
};

/* Times that threads wait inside their bodies, of all threads together. */
struct waits {
  uint64_t calls, ticks;
};

enum wait { WAIT_BARRIER, WAIT_LOCK, WAITS };

struct site;

enum { SLOTS = 128 };

struct region {
  struct site* site;
  long long begun;
  int outermost;
  _Atomic unsigned threads;            /* told by the first thread of the team */
  _Atomic uint64_t bodies[SLOTS];      /* of each thread by its number */
  _Atomic uint64_t others, most_other; /* of threads beyond: their sum, and the longest */
};

/* A thread in a region; lives on its stack. */
struct stay {
  struct region* region;
  struct stay* outer;
  const void* runtime; /* whose functions the thread's directives call; NULL where they are not called by way of this */
  long long begun;
  struct waits waits[WAITS];
};

/* The innermost of this thread; NULL outside of all. */
extern OF_THREAD struct stay* own_stay;

/* The body of a region whose start is passed on to a library that tells of it by itself. */
extern OF_THREAD const void* passed_on;

/* Begin a region that is met at, or whose body is at, an address of the program. */
void begin_region(struct region* region, const void* address);

/* End it, after all threads have left it. */
void end_region(struct region* region);

/* Note what a region uses; a chunk of 0 is not known. */
void note_use(struct region* region, unsigned use, uint64_t chunk);

/* Return the ticks since a time: none where another core's counter is a little behind. */
static inline uint64_t ticks_since(long long since) {
  const long long ticks = now_ticks() - since;
  return ticks > 0 ? (uint64_t)ticks : 0;
}

static inline void begin_stay(struct stay* stay, struct region* region, const void* runtime) {
  stay->region = region;
  stay->runtime = runtime;
  stay->outer = own_stay;
  for (int wait = 0; wait < WAITS; ++wait) stay->waits[wait] = (struct waits){0, 0};
  own_stay = stay;
  stay->begun = now_ticks();
}

/* End the stay of a thread of some number in a team. */
void end_stay(struct stay* stay, unsigned number, unsigned threads);

/* Add what this thread waited since a time. */
static inline void add_wait(enum wait wait, long long since) {
  struct waits* waits = &own_stay->waits[wait];
  ++waits->calls;
  waits->ticks += ticks_since(since);
}

/* Note a use of the region that this thread is in, if any. */
static inline void note_own(unsigned use, uint64_t chunk) {
  if (own_stay != NULL) note_use(own_stay->region, use, chunk);
}
