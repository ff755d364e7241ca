/* Regions of programs whose OpenMP library tells tools of itself, as LLVM's does: what clang compiles, and other
   compilers that use it. The library calls what is registered here. */
#include <stdlib.h>

#include "ompt_abi.h"
#include "regions.h"

enum { DEPTH = 16 };

/* A region with its place in the list of those that its thread may use again. */
struct kept {
  struct region region;
  const void* address;
  struct kept* next;
};

static OF_THREAD struct kept* unused;

/* Stays do not live on the stack here: a body is no function of this library. Deeper ones are not told. */
struct told_stay {
  struct stay stay;
  unsigned number, threads;
};
static OF_THREAD struct told_stay stays[DEPTH];
static OF_THREAD int depth;
static OF_THREAD long long waiting_since, acquiring_since;

static void parallel_begin(union ompt_data* task, const void* frame, union ompt_data* parallel, unsigned asked,
                           int flags, const void* address) {
  (void)task;
  (void)frame;
  (void)asked;
  (void)flags;
  struct kept* kept = unused;
  if (kept != NULL) {
    unused = kept->next;
  } else {
    kept = malloc(sizeof *kept);
  }
  parallel->pointer = kept;
  if (kept == NULL) return;
  kept->address = address;
  /* Within the call, to which the address returns: a call that is its block's last has another block behind it. */
  const void* site = address != NULL ? (const char*)address - 1 : NULL;
  if (passed_on != NULL) site = passed_on; /* what calls is this library */
  passed_on = NULL;
  begin_region(&kept->region, site);
}

static void parallel_end(union ompt_data* parallel, union ompt_data* task, int flags, const void* address) {
  (void)task;
  (void)flags;
  (void)address;
  struct kept* kept = parallel->pointer;
  if (kept == NULL) return;
  end_region(&kept->region);
  kept->next = unused;
  unused = kept;
}

static void leave(struct told_stay* told) {
  end_stay(&told->stay, told->number, told->threads);
  --depth;
}

/* The end of a worker's task comes when it is needed again, and its region may be gone by then: its stay ends where its
   wait for the others begins. A team of one does not wait. */
static void implicit_task(int endpoint, union ompt_data* parallel, union ompt_data* task, unsigned threads,
                          unsigned number, int flags) {
  if ((flags & OMPT_TASK_INITIAL) != 0) return;
  if (endpoint == OMPT_BEGIN) {
    task->pointer = NULL;
    if (parallel == NULL || parallel->pointer == NULL || depth >= DEPTH) return;
    struct told_stay* told = &stays[depth++];
    told->number = number;
    told->threads = threads;
    task->pointer = told;
    struct region* region = &((struct kept*)parallel->pointer)->region;
    /* Of a stay whose end is not seen. */
    if (number < SLOTS) atomic_store_explicit(&region->bodies[number], 0, memory_order_relaxed);
    begin_stay(&told->stay, region, NULL);
  } else if (endpoint == OMPT_END && task->pointer != NULL) {
    if (number == 0) {
      leave(task->pointer);
    } else {
      own_stay = ((struct told_stay*)task->pointer)->stay.outer;
      --depth;
    }
    task->pointer = NULL;
  }
}

/* Whether a wait is that at the end of a region. LLVM's library calls it by the old kind, as it does that of a loop; it
   gives it no address, or that of the region. */
static int ends_region(int kind, const union ompt_data* parallel, const void* address) {
  if (kind == OMPT_BARRIER_OF_PARALLEL) return 1;
  if (kind != OMPT_BARRIER_IMPLICIT) return 0;
  const struct kept* kept = parallel != NULL ? parallel->pointer : NULL;
  return address == NULL || (kept != NULL && kept->address == address);
}

static void sync_region(int kind, int endpoint, union ompt_data* parallel, union ompt_data* task, const void* address) {
  if (endpoint != OMPT_BEGIN || task == NULL || task->pointer == NULL || !ends_region(kind, parallel, address)) return;
  leave(task->pointer);
  task->pointer = NULL;
}

static void sync_region_wait(int kind, int endpoint, union ompt_data* parallel, union ompt_data* task,
                             const void* address) {
  (void)parallel;
  (void)address;
  const int barrier =
      (kind >= OMPT_BARRIER && kind <= OMPT_BARRIER_IMPLEMENTATION) || kind == OMPT_BARRIER_OF_WORKSHARING;
  /* A thread that has left its region has no stay in its task. */
  if (!barrier || task == NULL || task->pointer == NULL) return;
  if (endpoint == OMPT_BEGIN) {
    waiting_since = now_ticks();
  } else if (endpoint == OMPT_END && waiting_since != 0) {
    add_wait(WAIT_BARRIER, waiting_since);
    waiting_since = 0;
  }
}

static void mutex_acquire(int kind, unsigned hint, unsigned how, uint64_t which, const void* address) {
  (void)kind;
  (void)hint;
  (void)how;
  (void)which;
  (void)address;
  acquiring_since = own_stay != NULL ? now_ticks() : 0;
}

static void mutex_acquired(int kind, uint64_t which, const void* address) {
  (void)kind;
  (void)which;
  (void)address;
  if (acquiring_since != 0 && own_stay != NULL) add_wait(WAIT_LOCK, acquiring_since);
  acquiring_since = 0;
}

static void work(int kind, int endpoint, union ompt_data* parallel, union ompt_data* task, uint64_t count,
                 const void* address) {
  (void)parallel;
  (void)task;
  (void)count;
  (void)address;
  static const unsigned uses[] = {
      [OMPT_LOOP] = USE_LOOP,
      [OMPT_SECTIONS] = USE_SECTIONS,
      [OMPT_SINGLE_EXECUTOR] = USE_SINGLE,
      [OMPT_SINGLE_OTHER] = USE_SINGLE,
      [OMPT_TASKLOOP] = USE_TASKS,
      [OMPT_LOOP_STATIC] = USE_STATIC,
      [OMPT_LOOP_DYNAMIC] = USE_DYNAMIC,
      [OMPT_LOOP_GUIDED] = USE_GUIDED,
      [OMPT_LOOP_OTHER] = USE_LOOP,
  };
  if (endpoint == OMPT_END || kind < 0 || (size_t)kind >= sizeof uses / sizeof uses[0] || uses[kind] == 0) return;
  note_own(uses[kind], 0);
}

static void task_create(union ompt_data* task, const void* frame, union ompt_data* made, int flags, int depends,
                        const void* address) {
  (void)task;
  (void)frame;
  (void)made;
  (void)depends;
  (void)address;
  if ((flags & OMPT_TASK_EXPLICIT) != 0) note_own(USE_TASKS, 0);
}

static int initialize(ompt_lookup lookup, int device, union ompt_data* tool) {
  (void)device;
  (void)tool;
  const ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
  if (set == NULL) return 0;
  set(OMPT_PARALLEL_BEGIN, (ompt_any)parallel_begin);
  set(OMPT_PARALLEL_END, (ompt_any)parallel_end);
  set(OMPT_TASK_CREATE, (ompt_any)task_create);
  set(OMPT_IMPLICIT_TASK, (ompt_any)implicit_task);
  set(OMPT_SYNC_REGION, (ompt_any)sync_region);
  set(OMPT_SYNC_REGION_WAIT, (ompt_any)sync_region_wait);
  set(OMPT_WORK, (ompt_any)work);
  set(OMPT_MUTEX_ACQUIRE, (ompt_any)mutex_acquire);
  set(OMPT_MUTEX_ACQUIRED, (ompt_any)mutex_acquired);
  return 1;
}

static void finalize(union ompt_data* tool) { (void)tool; }

/* Called by the OpenMP library as it starts. */
SHOWN struct ompt_start_tool_result* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version;
  (void)runtime;
  static struct ompt_start_tool_result result = {initialize, finalize, {0}};
  return &result;
}
