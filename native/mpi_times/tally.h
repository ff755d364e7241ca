/* What each thread of a rank does in MPI, by the name of the call: how often, for how long, how much it sends. A thread
   adds to figures that only it writes; they are merged in MPI_Finalize. Of nested calls only the outermost counts. */
#pragma once
#include <mpi.h>
#include <stddef.h>

#include "../preload/ticks.h"
#include "mpi_calls.h"

#define NUMBERED(name, ...) CALL_##name,
enum call { MPI_CALLS(NUMBERED) MPI_FREES(NUMBERED) CALLS };
#undef NUMBERED

/* The library is loaded when the program starts, so its variables of a thread need no function to be found. */
#define OF_THREAD __thread __attribute__((tls_model("initial-exec")))

struct figures {
  long long calls, ticks, bytes;
};

struct traffic {
  long long messages, bytes;
};

struct tally {
  struct tally *next, *next_free;
  struct traffic* to; /* by the receiver's rank in MPI_COMM_WORLD; NULL before the first message */
  struct figures of[CALLS];
};

extern int counting; /* between MPI_Init and MPI_Finalize */
extern int world_rank, world_ranks;
extern OF_THREAD int depth;
extern OF_THREAD struct tally* own_tally;

/* Begin to count. The calling thread is the one whose time in MPI is the rank's. */
void begin(void);

/* Stop counting; the first rank writes what all counted to the file that ROOFTOP_MPI_TIMES names. All ranks call it. */
void end(void);

/* Return a tally for a thread that has none yet; NULL without memory. */
struct tally* adopt(void);

static inline long long enter(void) { return ++depth == 1 && counting ? now_ticks() : 0; }

/* Return the tally to which the bytes sent by a call are to be added; NULL for a call that does not count. */
static inline struct tally* leave(enum call call, long long since) {
  if (--depth != 0 || since == 0) return NULL;
  const long long took = now_ticks() - since;
  struct tally* tally = own_tally != NULL ? own_tally : adopt();
  if (tally != NULL) {
    ++tally->of[call].calls;
    tally->of[call].ticks += took;
  }
  return tally;
}
