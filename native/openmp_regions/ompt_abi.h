/* What this library uses of OMPT, the interface by which an OpenMP library tells tools of itself (OpenMP 5.1, chapter
   4), with the values of its omp-tools.h: that header comes with an OpenMP library that has the interface, and gcc's
   has none. */
#pragma once
#include <stdint.h>

union ompt_data {
  uint64_t value;
  void* pointer;
};

typedef void (*ompt_any)(void);
typedef ompt_any (*ompt_lookup)(const char* name);
typedef int (*ompt_set_callback)(int which, ompt_any callback);

struct ompt_start_tool_result {
  int (*initialize)(ompt_lookup lookup, int device, union ompt_data* tool);
  void (*finalize)(union ompt_data* tool);
  union ompt_data tool;
};

enum {
  OMPT_PARALLEL_BEGIN = 3,
  OMPT_PARALLEL_END = 4,
  OMPT_TASK_CREATE = 5,
  OMPT_IMPLICIT_TASK = 7,
  OMPT_SYNC_REGION_WAIT = 16,
  OMPT_WORK = 20,
  OMPT_SYNC_REGION = 23,
  OMPT_MUTEX_ACQUIRE = 26,
  OMPT_MUTEX_ACQUIRED = 27,
};

enum { OMPT_BEGIN = 1, OMPT_END = 2 };

/* Kinds of sync regions. */
enum {
  OMPT_BARRIER = 1,
  OMPT_BARRIER_IMPLICIT = 2,
  OMPT_BARRIER_EXPLICIT = 3,
  OMPT_BARRIER_IMPLEMENTATION = 4,
  OMPT_BARRIER_OF_WORKSHARING = 8,
  OMPT_BARRIER_OF_PARALLEL = 9,
};

/* Kinds of work; the last four since OpenMP 5.2. */
enum {
  OMPT_LOOP = 1,
  OMPT_SECTIONS = 2,
  OMPT_SINGLE_EXECUTOR = 3,
  OMPT_SINGLE_OTHER = 4,
  OMPT_TASKLOOP = 7,
  OMPT_LOOP_STATIC = 10,
  OMPT_LOOP_DYNAMIC = 11,
  OMPT_LOOP_GUIDED = 12,
  OMPT_LOOP_OTHER = 13,
};

enum { OMPT_TASK_INITIAL = 1, OMPT_TASK_EXPLICIT = 4 };
