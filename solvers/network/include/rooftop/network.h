/* Plans of a directed transport network with several objectives: the C interface of rooftop/network.hpp, where the
 * terms are explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that rooftop_network_last_error()
 * gives to the same thread. No function throws, prints or ends the process.
 */
#ifndef ROOFTOP_NETWORK_H
#define ROOFTOP_NETWORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_NETWORK_API __attribute__((visibility("default")))
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_NETWORK_ABI_VERSION 2

typedef enum {
  ROOFTOP_NETWORK_OK = 0,
  ROOFTOP_NETWORK_INVALID_ARGUMENT = 1,
  ROOFTOP_NETWORK_OUT_OF_MEMORY = 2,
  ROOFTOP_NETWORK_INTERNAL_ERROR = 3,
  ROOFTOP_NETWORK_STOPPED = 4 /* the time was over, or the flag set, before there was a plan */
} rooftop_network_status;

/* Borrowed for the length of a call. Nodes, arcs and months count from 0. */
typedef struct {
  int32_t nodes, arcs, months, objectives, shipments;
  const int32_t *tail, *head;                  /* [arcs] */
  const int64_t* capacity_kg;                  /* [arcs], in each month; INT64_MAX: unlimited */
  int64_t payload_kg;                          /* of a vehicle */
  const double *per_vehicle, *per_kg;          /* [objectives][arcs] */
  const int32_t *month, *origin, *destination; /* [shipments] */
  const int64_t* kg;                           /* [shipments] */
} rooftop_network_problem;

/* How the front stands; points[plans][objectives] live as long as the call that is told of them. */
typedef struct {
  double seconds;
  int64_t iterations, overload_kg;
  int32_t plans;
  const double* points;
} rooftop_network_progress;

/* 0 ends the search. Called from the thread that called rooftop_network_solve(), except in a process that was forked
 * and has executed no program since: there from another one, while that waits. */
typedef int (*rooftop_network_watch)(const rooftop_network_progress* progress, void* with);

typedef struct {
  double seconds;     /* for all of it, unless iterations are given */
  int64_t iterations; /* ants in all; 0: as many as there is time for */
  uint64_t seed;
  int32_t threads;             /* 0: as many as OpenMP would take */
  int32_t plans;               /* at most, on the front */
  int32_t trails;              /* 0: superposed, 1: combined */
  const double* weights;       /* [objectives], or null */
  rooftop_network_watch watch; /* or null */
  void* watch_with;            /* what it is called with */
  /* Or null. Set to something else than 0, by any thread or signal handler, it ends the search within a fraction of a
   * second, with what is known. */
  const int32_t* stop;
} rooftop_network_options;

/* Overload is above 0 where no plan was found that keeps all capacities; then there is one plan. */
typedef struct {
  double seconds;
  int64_t iterations, overload_kg;
  int32_t plans;
  const double* points; /* [plans][objectives], as long as the solution lives */
} rooftop_network_result;

typedef struct rooftop_network_solution rooftop_network_solution;

/* ROOFTOP_NETWORK_ABI_VERSION as compiled into the library. */
ROOFTOP_NETWORK_API int rooftop_network_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_NETWORK_API const char* rooftop_network_last_error(void);
/* 10 seconds, all threads, seed 1, 100 plans, superposed trails, nobody watching: what null `options` stand for. */
ROOFTOP_NETWORK_API void rooftop_network_default_options(rooftop_network_options* options);
/* On failure *solution is null. */
ROOFTOP_NETWORK_API int rooftop_network_solve(const rooftop_network_problem* problem,
                                              const rooftop_network_options* options,
                                              rooftop_network_solution** solution);
ROOFTOP_NETWORK_API int rooftop_network_solution_result(const rooftop_network_solution* solution,
                                                        rooftop_network_result* result);
/* A plan's paths: shipment i takes (*arcs)[(*first)[i]] to before (*first)[i + 1]. They live as long as the solution.
 */
ROOFTOP_NETWORK_API int rooftop_network_solution_paths(const rooftop_network_solution* solution, int32_t plan,
                                                       const int64_t** first, const int32_t** arcs);
ROOFTOP_NETWORK_API void rooftop_network_solution_destroy(rooftop_network_solution* solution); /* null is fine */

#ifdef __cplusplus
}
#endif
#endif
