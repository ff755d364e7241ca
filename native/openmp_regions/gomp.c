/* What the program calls in place of libgomp's functions. A region is known by its body, since the call that begins it
   may be a jump, whose return address is the caller's. A body is called by way of a function that takes the time; a
   call that waits is timed where its thread is in a region. */
#include "gomp.h"

#include "regions.h"

/* What libgomp hands to each thread in place of the program's data; it lives on the stack of the thread that meets the
   region. */
struct run {
  void* first; /* in the data of GOMP_parallel_reductions, that of the reductions, which libgomp reads */
  void (*body)(void*);
  void* data;
  const struct gomp* gomp;
  struct region region;
};

static void run_body(void* of) {
  struct run* run = of;
  struct stay stay;
  begin_stay(&stay, &run->region, run->gomp);
  run->body(run->data);
  const int number = run->gomp->omp_get_thread_num();
  end_stay(&stay, (unsigned)number, number == 0 ? (unsigned)run->gomp->omp_get_num_threads() : 0);
}

/* The libgomp of a call. A function's last call may be a jump, which returns elsewhere than to it: in a body, to this
   library. Code that was generated has no scope. */
static const struct gomp* gomp_for(const void* caller) {
  const struct gomp* const gomp = gomp_of(caller);
  if (__builtin_expect(gomp != NULL, 1)) return gomp;
  return own_stay != NULL && own_stay->runtime != NULL ? own_stay->runtime : any_gomp();
}
#define GOMP gomp_for(__builtin_return_address(0))

/* The body and its data that are passed on: the program's, or those that take the time. */
#define RUN_BY(gomp_found)                      \
  const struct gomp* const gomp = (gomp_found); \
  struct run run;                               \
  void (*called)(void*) = fn;                   \
  void* given = data;                           \
  if (gomp->observed) {                         \
    run.body = fn;                              \
    run.data = data;                            \
    run.gomp = gomp;                            \
    begin_region(&run.region, (const void*)fn); \
    called = run_body;                          \
    given = &run;                               \
  } else {                                      \
    passed_on = (const void*)fn;                \
  }

#define REGION(result, name, parameters, arguments, use, chunk_used)                      \
  SHOWN result name parameters {                                                          \
    RUN_BY(gomp_for((const void*)fn))                                                     \
    if (gomp->observed && (use) != 0) note_use(&run.region, use, (uint64_t)(chunk_used)); \
    gomp->name arguments;                                                                 \
    if (gomp->observed) end_region(&run.region);                                          \
  }
GOMP_REGIONS(REGION)

SHOWN unsigned GOMP_parallel_reductions(void (*fn)(void*), void* data, unsigned threads, unsigned flags) {
  RUN_BY(gomp_for((const void*)fn))
  run.first = *(void**)data;
  const unsigned result = gomp->GOMP_parallel_reductions(called, given, threads, flags);
  if (gomp->observed) end_region(&run.region);
  return result;
}

/* The kinds of GOMP_loop_start, without whether its chunks come in order (enum gomp_schedule_type of libgomp). */
static unsigned use_of(long kind) {
  static const unsigned uses[] = {USE_RUNTIME, USE_STATIC, USE_DYNAMIC, USE_GUIDED};
  const unsigned known = (unsigned)kind & 7U;
  return known < sizeof uses / sizeof uses[0] ? uses[known] : USE_LOOP;
}

#define LOOP(name, parameters, arguments, use, chunk_used) \
  SHOWN bool name parameters {                             \
    note_own(use, (uint64_t)(chunk_used));                 \
    return GOMP->name arguments;                           \
  }
GOMP_LOOPS(LOOP)

#define NOTED(result, name, parameters, arguments, use) \
  SHOWN result name parameters {                        \
    note_own(use, 0);                                   \
    return GOMP->name arguments;                        \
  }
GOMP_NOTED(NOTED)

#define TASK(name, parameters, arguments, use) \
  SHOWN void name parameters {                 \
    note_own(use, 0);                          \
    GOMP->name arguments;                      \
  }
GOMP_TASKS(TASK)

/* What OMPT observes has a stay, too; of it, waits are told there. */
#define WAITS_HERE(gomp) (own_stay != NULL && (gomp)->observed)

#define WAIT(name, parameters, arguments, wait) \
  SHOWN void name parameters {                  \
    const struct gomp* const gomp = GOMP;       \
    if (!WAITS_HERE(gomp)) {                    \
      gomp->name arguments;                     \
      return;                                   \
    }                                           \
    const long long since = now_ticks();        \
    gomp->name arguments;                       \
    add_wait(wait, since);                      \
  }
GOMP_WAITS(WAIT)

#define ANSWERED_WAIT(result, name, parameters, arguments, wait) \
  SHOWN result name parameters {                                 \
    const struct gomp* const gomp = GOMP;                        \
    if (!WAITS_HERE(gomp)) return gomp->name arguments;          \
    const long long since = now_ticks();                         \
    result const got = gomp->name arguments;                     \
    add_wait(wait, since);                                       \
    return got;                                                  \
  }
GOMP_ANSWERED_WAITS(ANSWERED_WAIT)
