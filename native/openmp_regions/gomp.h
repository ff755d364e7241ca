/* The functions of libgomp before which this library stands: what gcc makes of directives (libgomp_g.h of libgomp), and
   the locks of OpenMP. Those that start a region of old (GOMP_parallel_start, gcc before 4.9) are not among them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long ull;

/* Regions. Each thread calls `fn` with `data`; `called` and `given` are passed on for them. X(result, function,
 * parameters, arguments, use, chunk) */
#define GOMP_REGIONS(X)                                                                                              \
  X(void, GOMP_parallel, (void (*fn)(void*), void* data, unsigned threads, unsigned flags),                          \
    (called, given, threads, flags), 0, 0)                                                                           \
  X(void, GOMP_parallel_loop_static,                                                                                 \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags),  \
    (called, given, threads, start, end, step, chunk, flags), USE_STATIC, chunk)                                     \
  X(void, GOMP_parallel_loop_dynamic,                                                                                \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags),  \
    (called, given, threads, start, end, step, chunk, flags), USE_DYNAMIC, chunk)                                    \
  X(void, GOMP_parallel_loop_guided,                                                                                 \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags),  \
    (called, given, threads, start, end, step, chunk, flags), USE_GUIDED, chunk)                                     \
  X(void, GOMP_parallel_loop_nonmonotonic_dynamic,                                                                   \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags),  \
    (called, given, threads, start, end, step, chunk, flags), USE_DYNAMIC, chunk)                                    \
  X(void, GOMP_parallel_loop_nonmonotonic_guided,                                                                    \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags),  \
    (called, given, threads, start, end, step, chunk, flags), USE_GUIDED, chunk)                                     \
  X(void, GOMP_parallel_loop_runtime,                                                                                \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, unsigned flags),              \
    (called, given, threads, start, end, step, flags), USE_RUNTIME, 0)                                               \
  X(void, GOMP_parallel_loop_nonmonotonic_runtime,                                                                   \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, unsigned flags),              \
    (called, given, threads, start, end, step, flags), USE_RUNTIME, 0)                                               \
  X(void, GOMP_parallel_loop_maybe_nonmonotonic_runtime,                                                             \
    (void (*fn)(void*), void* data, unsigned threads, long start, long end, long step, unsigned flags),              \
    (called, given, threads, start, end, step, flags), USE_RUNTIME, 0)                                               \
  X(void, GOMP_parallel_sections, (void (*fn)(void*), void* data, unsigned threads, unsigned count, unsigned flags), \
    (called, given, threads, count, flags), USE_SECTIONS, 0)

/* Starts of loops, of which gcc calls none for a static schedule. X(function, parameters, arguments, use, chunk) */
#define GOMP_LOOPS(X)                                                                                                 \
  X(GOMP_loop_static_start, (long start, long end, long step, long chunk, long* from, long* to),                      \
    (start, end, step, chunk, from, to), USE_STATIC, chunk)                                                           \
  X(GOMP_loop_ull_static_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),               \
    (up, start, end, step, chunk, from, to), USE_STATIC, chunk)                                                       \
  X(GOMP_loop_dynamic_start, (long start, long end, long step, long chunk, long* from, long* to),                     \
    (start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                          \
  X(GOMP_loop_ull_dynamic_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),              \
    (up, start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                      \
  X(GOMP_loop_guided_start, (long start, long end, long step, long chunk, long* from, long* to),                      \
    (start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                           \
  X(GOMP_loop_ull_guided_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),               \
    (up, start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                       \
  X(GOMP_loop_nonmonotonic_dynamic_start, (long start, long end, long step, long chunk, long* from, long* to),        \
    (start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                          \
  X(GOMP_loop_ull_nonmonotonic_dynamic_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to), \
    (up, start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                      \
  X(GOMP_loop_nonmonotonic_guided_start, (long start, long end, long step, long chunk, long* from, long* to),         \
    (start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                           \
  X(GOMP_loop_ull_nonmonotonic_guided_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),  \
    (up, start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                       \
  X(GOMP_loop_runtime_start, (long start, long end, long step, long* from, long* to), (start, end, step, from, to),   \
    USE_RUNTIME, 0)                                                                                                   \
  X(GOMP_loop_ull_runtime_start, (bool up, ull start, ull end, ull step, ull* from, ull* to),                         \
    (up, start, end, step, from, to), USE_RUNTIME, 0)                                                                 \
  X(GOMP_loop_nonmonotonic_runtime_start, (long start, long end, long step, long* from, long* to),                    \
    (start, end, step, from, to), USE_RUNTIME, 0)                                                                     \
  X(GOMP_loop_ull_nonmonotonic_runtime_start, (bool up, ull start, ull end, ull step, ull* from, ull* to),            \
    (up, start, end, step, from, to), USE_RUNTIME, 0)                                                                 \
  X(GOMP_loop_maybe_nonmonotonic_runtime_start, (long start, long end, long step, long* from, long* to),              \
    (start, end, step, from, to), USE_RUNTIME, 0)                                                                     \
  X(GOMP_loop_ull_maybe_nonmonotonic_runtime_start, (bool up, ull start, ull end, ull step, ull* from, ull* to),      \
    (up, start, end, step, from, to), USE_RUNTIME, 0)                                                                 \
  X(GOMP_loop_ordered_static_start, (long start, long end, long step, long chunk, long* from, long* to),              \
    (start, end, step, chunk, from, to), USE_STATIC, chunk)                                                           \
  X(GOMP_loop_ull_ordered_static_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),       \
    (up, start, end, step, chunk, from, to), USE_STATIC, chunk)                                                       \
  X(GOMP_loop_ordered_dynamic_start, (long start, long end, long step, long chunk, long* from, long* to),             \
    (start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                          \
  X(GOMP_loop_ull_ordered_dynamic_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),      \
    (up, start, end, step, chunk, from, to), USE_DYNAMIC, chunk)                                                      \
  X(GOMP_loop_ordered_guided_start, (long start, long end, long step, long chunk, long* from, long* to),              \
    (start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                           \
  X(GOMP_loop_ull_ordered_guided_start, (bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to),       \
    (up, start, end, step, chunk, from, to), USE_GUIDED, chunk)                                                       \
  X(GOMP_loop_ordered_runtime_start, (long start, long end, long step, long* from, long* to),                         \
    (start, end, step, from, to), USE_RUNTIME, 0)                                                                     \
  X(GOMP_loop_ull_ordered_runtime_start, (bool up, ull start, ull end, ull step, ull* from, ull* to),                 \
    (up, start, end, step, from, to), USE_RUNTIME, 0)                                                                 \
  X(GOMP_loop_start,                                                                                                  \
    (long start, long end, long step, long kind, long chunk, long* from, long* to, uintptr_t* reductions,             \
     void** memory),                                                                                                  \
    (start, end, step, kind, chunk, from, to, reductions, memory), use_of(kind), chunk)                               \
  X(GOMP_loop_ull_start,                                                                                              \
    (bool up, ull start, ull end, ull step, long kind, ull chunk, ull* from, ull* to, uintptr_t* reductions,          \
     void** memory),                                                                                                  \
    (up, start, end, step, kind, chunk, from, to, reductions, memory), use_of(kind), chunk)                           \
  X(GOMP_loop_ordered_start,                                                                                          \
    (long start, long end, long step, long kind, long chunk, long* from, long* to, uintptr_t* reductions,             \
     void** memory),                                                                                                  \
    (start, end, step, kind, chunk, from, to, reductions, memory), use_of(kind), chunk)                               \
  X(GOMP_loop_ull_ordered_start,                                                                                      \
    (bool up, ull start, ull end, ull step, long kind, ull chunk, ull* from, ull* to, uintptr_t* reductions,          \
     void** memory),                                                                                                  \
    (up, start, end, step, kind, chunk, from, to, reductions, memory), use_of(kind), chunk)

/* What else is noted as it begins. X(result, function, parameters, arguments, use) */
#define GOMP_NOTED(X)                                                                       \
  X(unsigned, GOMP_sections_start, (unsigned count), (count), USE_SECTIONS)                 \
  X(unsigned, GOMP_sections2_start, (unsigned count, uintptr_t* reductions, void** memory), \
    (count, reductions, memory), USE_SECTIONS)                                              \
  X(bool, GOMP_single_start, (void), (), USE_SINGLE)

/* The same, without a result. */
#define GOMP_TASKS(X)                                                                                      \
  X(GOMP_task,                                                                                             \
    (void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long alignment, bool deferred,  \
     unsigned flags, void** depend, int priority, void* detach),                                           \
    (fn, data, copy, size, alignment, deferred, flags, depend, priority, detach), USE_TASKS)               \
  X(GOMP_taskloop,                                                                                         \
    (void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long alignment, unsigned flags, \
     unsigned long number, int priority, long start, long end, long step),                                 \
    (fn, data, copy, size, alignment, flags, number, priority, start, end, step), USE_TASKS)               \
  X(GOMP_taskloop_ull,                                                                                     \
    (void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long alignment, unsigned flags, \
     unsigned long number, int priority, ull start, ull end, ull step),                                    \
    (fn, data, copy, size, alignment, flags, number, priority, start, end, step), USE_TASKS)

/* What waits for other threads. X(function, parameters, arguments, for what) */
#define GOMP_WAITS(X)                                                                      \
  X(GOMP_barrier, (void), (), WAIT_BARRIER)                                                \
  X(GOMP_loop_end, (void), (), WAIT_BARRIER)                                               \
  X(GOMP_sections_end, (void), (), WAIT_BARRIER)                                           \
  X(GOMP_workshare_task_reduction_unregister, (bool cancelled), (cancelled), WAIT_BARRIER) \
  X(GOMP_single_copy_end, (void* data), (data), WAIT_BARRIER)                              \
  X(GOMP_critical_start, (void), (), WAIT_LOCK)                                            \
  X(GOMP_critical_name_start, (void** name), (name), WAIT_LOCK)                            \
  X(GOMP_atomic_start, (void), (), WAIT_LOCK)                                              \
  X(GOMP_ordered_start, (void), (), WAIT_LOCK)                                             \
  X(omp_set_lock, (void* lock), (lock), WAIT_LOCK)                                         \
  X(omp_set_lock_, (void* lock), (lock), WAIT_LOCK)                                        \
  X(omp_set_nest_lock, (void* lock), (lock), WAIT_LOCK)                                    \
  X(omp_set_nest_lock_, (void* lock), (lock), WAIT_LOCK)

/* The same, with a result. X(result, function, parameters, arguments, for what) */
#define GOMP_ANSWERED_WAITS(X)                                \
  X(bool, GOMP_barrier_cancel, (void), (), WAIT_BARRIER)      \
  X(bool, GOMP_loop_end_cancel, (void), (), WAIT_BARRIER)     \
  X(bool, GOMP_sections_end_cancel, (void), (), WAIT_BARRIER) \
  X(void*, GOMP_single_copy_start, (void), (), WAIT_BARRIER)

/* Called for themselves. */
#define GOMP_QUESTIONS(X)            \
  X(int, omp_get_thread_num, (void)) \
  X(int, omp_get_num_threads, (void))

/* One libgomp. Programs may have several: a Python package brings its own, under a name of its own. */
struct gomp {
  struct gomp* next;
  bool observed; /* by this; LLVM's library, which has the same functions, tells of itself: see ompt.c */
  unsigned (*GOMP_parallel_reductions)(void (*fn)(void*), void* data, unsigned threads, unsigned flags);
#define REGION(result, name, parameters, arguments, use, chunk) result(*name) parameters;
#define LOOP(name, parameters, arguments, use, chunk) bool(*name) parameters;
#define NOTED(result, name, parameters, arguments, use) result(*name) parameters;
#define TASK(name, parameters, arguments, use) void(*name) parameters;
#define WAITS_VOID(name, parameters, arguments, wait) void(*name) parameters;
#define ANSWERED(result, name, parameters, arguments, wait) result(*name) parameters;
#define QUESTION(result, name, parameters) result(*name) parameters;
  GOMP_REGIONS(REGION)
  GOMP_LOOPS(LOOP)
  GOMP_NOTED(NOTED) GOMP_TASKS(TASK) GOMP_WAITS(WAITS_VOID) GOMP_ANSWERED_WAITS(ANSWERED) GOMP_QUESTIONS(QUESTION)
#undef REGION
#undef LOOP
#undef NOTED
#undef TASK
#undef WAITS_VOID
#undef ANSWERED
#undef QUESTION
};

/* Return the libgomp whose function a call from this address would have reached without this library; NULL if the scope
   of the address has none, or has this library. */
const struct gomp* gomp_of(const void* caller);

/* Return the libgomp that was loaded first, by its name. */
const struct gomp* any_gomp(void);
