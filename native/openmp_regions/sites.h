/* The places in the program at which regions are, with their figures. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

/* In the order in which they are written; rooftop.observe.openmp says what each is. */
#define SITE_COUNTS(X) X(calls) X(outer_calls) X(most_threads) X(threads) X(uses) X(chunk) X(barriers) X(locks)
#define SITE_TICKS(X) X(wall) X(outer_wall) X(most) X(mean) X(barrier_wait) X(lock_wait)

struct site {
  _Atomic uintptr_t address; /* of the region's body, or of its call; 0: nobody has the place */
  _Atomic int placed;        /* whether the two below are known */
  int object;
  uint64_t offset;
#define FIGURE(name) _Atomic uint64_t name;
  SITE_COUNTS(FIGURE)
  SITE_TICKS(FIGURE)
#undef FIGURE
} __attribute__((aligned(64)));

/* Return the site of an address; one for all where there are too many. May be called by any thread at any time but in a
   handler of a signal. */
struct site* site_of(const void* address);

/* Note, in ticks, the time of a region of several threads that is in no other. */
void note_time(long long began, long long ended);
