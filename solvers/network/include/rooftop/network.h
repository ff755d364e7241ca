/* Plans of a directed transport network with several objectives: the C interface of rooftop/network.hpp, where the
 * terms are explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_network_last_error(). No function throws, prints or ends the process.
 */
#ifndef ROOFTOP_NETWORK_H
#define ROOFTOP_NETWORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_NETWORK_API __attribute__((visibility("default")))
/* Incremented whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_NETWORK_ABI_VERSION 2

typedef enum {
  ROOFTOP_NETWORK_OK = 0,
  ROOFTOP_NETWORK_INVALID_ARGUMENT = 1,
  ROOFTOP_NETWORK_OUT_OF_MEMORY = 2,
  ROOFTOP_NETWORK_INTERNAL_ERROR = 3,
  ROOFTOP_NETWORK_STOPPED = 4 /* the time limit or the stop flag ended the search before it had a plan */
} rooftop_network_status;

/* The arrays must stay valid during the call. Nodes, arcs and months are numbered from 0. */
typedef struct {
  int32_t nodes, arcs, months, objectives, shipments;
  const int32_t *tail, *head;                  /* [arcs] */
  const int64_t* capacity_kg;                  /* [arcs], in each month; INT64_MAX: unlimited */
  int64_t payload_kg;                          /* of a vehicle */
  const double *per_vehicle, *per_kg;          /* [objectives][arcs] */
  const int32_t *month, *origin, *destination; /* [shipments] */
  const int64_t* kg;                           /* [shipments] */
} rooftop_network_problem;

/* Progress of a search. points[plans][objectives] are valid during the callback. */
typedef struct {
  double seconds;
  int64_t iterations, overload_kg;
  int32_t plans;
  const double* points;
} rooftop_network_progress;

/* Return 0 to end the search. Called on the thread that called rooftop_network_solve(); in a forked process that has
 * not called exec(), on another thread while that one waits. */
typedef int (*rooftop_network_watch)(const rooftop_network_progress* progress, void* with);

typedef struct {
  double seconds;     /* time limit, ignored if iterations are given */
  int64_t iterations; /* number of ants; 0: until the time is over */
  uint64_t seed;
  int32_t threads;             /* 0: OpenMP's default */
  int32_t plans;               /* maximum number of plans on the front */
  int32_t trails;              /* 0: superposed, 1: combined */
  const double* weights;       /* [objectives], or null */
  rooftop_network_watch watch; /* or null */
  void* watch_with;            /* passed to watch as `with` */
  /* Optional flag. A value other than 0, which any thread or signal handler may write, ends the search within a
   * fraction of a second; the best result so far is returned. */
  const int32_t* stop;
} rooftop_network_options;

/* overload_kg is above 0 if no plan within all capacities was found; the front then has one plan. */
typedef struct {
  double seconds;
  int64_t iterations, overload_kg;
  int32_t plans;
  const double* points; /* [plans][objectives], valid as long as the solution */
} rooftop_network_result;

typedef struct rooftop_network_solution rooftop_network_solution;

/* ROOFTOP_NETWORK_ABI_VERSION as compiled into the library. */
ROOFTOP_NETWORK_API int rooftop_network_abi_version(void);
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_NETWORK_API const char* rooftop_network_last_error(void);
/* Sets the defaults, which null `options` also mean: 10 seconds, all threads, seed 1, 100 plans, superposed trails, no
 * callback. */
ROOFTOP_NETWORK_API void rooftop_network_default_options(rooftop_network_options* options);
/* Sets *solution to null on failure. */
ROOFTOP_NETWORK_API int rooftop_network_solve(const rooftop_network_problem* problem,
                                              const rooftop_network_options* options,
                                              rooftop_network_solution** solution);
ROOFTOP_NETWORK_API int rooftop_network_solution_result(const rooftop_network_solution* solution,
                                                        rooftop_network_result* result);
/* Returns a plan's paths: shipment i takes the arcs from (*arcs)[(*first)[i]] up to, but not including,
 * (*arcs)[(*first)[i + 1]]. Valid as long as the solution. */
ROOFTOP_NETWORK_API int rooftop_network_solution_paths(const rooftop_network_solution* solution, int32_t plan,
                                                       const int64_t** first, const int32_t** arcs);
ROOFTOP_NETWORK_API void rooftop_network_solution_destroy(rooftop_network_solution* solution); /* null is fine */

#ifdef __cplusplus
}
#endif
#endif
