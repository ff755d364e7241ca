/* Short tours of travelling salesman problems: the C interface of rooftop/routing.hpp, where the terms are
 * explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that rooftop_routing_last_error()
 * gives to the same thread. No function throws, prints or ends the process.
 *
 *     rooftop_routing_problem* problem;
 *     if (rooftop_routing_problem_read("berlin52.tsp", &problem)) fail(rooftop_routing_last_error());
 *     rooftop_routing_options options;
 *     rooftop_routing_default_options(&options);
 *     rooftop_routing_solution* solution;
 *     if (rooftop_routing_solve(problem, &options, &solution)) fail(rooftop_routing_last_error());
 */
#ifndef ROOFTOP_ROUTING_H
#define ROOFTOP_ROUTING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_ROUTING_API __attribute__((visibility("default")))
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_ROUTING_ABI_VERSION 4

typedef enum {
  ROOFTOP_ROUTING_OK = 0,
  ROOFTOP_ROUTING_INVALID_ARGUMENT = 1,
  ROOFTOP_ROUTING_OUT_OF_MEMORY = 2,
  ROOFTOP_ROUTING_INTERNAL_ERROR = 3
} rooftop_routing_status;

/* Seconds since the search began, ants so far, and the best tour's length. */
typedef struct {
  double seconds;
  int64_t iterations, length;
} rooftop_routing_progress;

/* 0 ends the search. Called from the thread that called rooftop_routing_solve(), except in a process that was forked
 * and has executed no program since: there from another one, while that waits. */
typedef int (*rooftop_routing_watch)(const rooftop_routing_progress* progress, void* with);
/* The best tour, order[cities] from any city on, valid in the call. From that thread too. */
typedef void (*rooftop_routing_show)(const rooftop_routing_progress* progress, const int32_t* order, void* with);

typedef struct {
  double seconds;     /* for all of it, unless iterations are given */
  int64_t iterations; /* ants in all; 0: as many as there is time for */
  uint64_t seed;
  int32_t threads;             /* 0: as many as OpenMP would take */
  rooftop_routing_watch watch; /* or null */
  void* watch_with;            /* what it is called with */
  rooftop_routing_show show;   /* or null: shown a tour that has become shorter, each time that so many seconds have */
  double show_every;           /* passed */
  void* show_with;
  /* Or null. Set to something else than 0, by any thread or signal handler, it ends the search within a fraction of a
   * second, with what is known. */
  const int32_t* stop;
  /* Or null: order[cities] of a tour to begin with, which has all fixed edges. No longer one is found. */
  const int32_t* initial;
} rooftop_routing_options;

/* `history` says when the best tour became shorter. Lives as long as the solution. */
typedef struct {
  int64_t length, iterations;
  double seconds;
  int32_t cities;
  const int32_t* order; /* [cities] from 0 */
  int64_t history_count;
  const rooftop_routing_progress* history;
} rooftop_routing_result;

typedef struct rooftop_routing_problem rooftop_routing_problem;
typedef struct rooftop_routing_solution rooftop_routing_solution;

/* ROOFTOP_ROUTING_ABI_VERSION as compiled into the library. */
ROOFTOP_ROUTING_API int rooftop_routing_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_ROUTING_API const char* rooftop_routing_last_error(void);

/* A file of TSPLIB 95. On failure *problem is null, of this and of the next three. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_read(const char* path, rooftop_routing_problem** problem);
/* The same of the file's text[size], which messages call `source`. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_of_text(const char* text, int64_t size, const char* source,
                                                        rooftop_routing_problem** problem);
/* Cities in the plane, whose distances are Euclidean and rounded to the nearest integer. Finite coordinates, [cities].
 */
ROOFTOP_ROUTING_API int rooftop_routing_problem_in_plane(int32_t cities, const double* x, const double* y,
                                                         rooftop_routing_problem** problem);
/* Distances one by one, from city i to city j at i cities + j, each within -2147483647 to 2147483647. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_of_matrix(int32_t cities, const int32_t* matrix,
                                                          rooftop_routing_problem** problem);
ROOFTOP_ROUTING_API void rooftop_routing_problem_destroy(rooftop_routing_problem* problem); /* null is fine */
ROOFTOP_ROUTING_API int rooftop_routing_problem_cities(const rooftop_routing_problem* problem, int32_t* cities);
/* Keywords of its file that were skipped, a line each; "" where there are none. Lives as long as the problem. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_remarks(const rooftop_routing_problem* problem);
/* Its NAME, and where cities lie, east and north for a globe's: null where the file does not tell. Live as long as the
 * problem. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_name(const rooftop_routing_problem* problem);
ROOFTOP_ROUTING_API const double* rooftop_routing_problem_x(const rooftop_routing_problem* problem);
ROOFTOP_ROUTING_API const double* rooftop_routing_problem_y(const rooftop_routing_problem* problem);
/* How its distances follow from what is given, in TSPLIB's word: EUC_2D, of a matrix EXPLICIT. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_metric(const rooftop_routing_problem* problem);
/* Distances that were given one by one, as in rooftop_routing_problem_of_matrix(); null where they were not. Live as
 * long as the problem. */
ROOFTOP_ROUTING_API const int32_t* rooftop_routing_problem_matrix(const rooftop_routing_problem* problem);
/* Gives order[cities] of the tour in the text[size] of a TSPLIB file of TYPE TOUR, which messages call `source`. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_tour_of_text(const rooftop_routing_problem* problem, const char* text,
                                                             int64_t size, const char* source, int32_t* order);
/* The length of the closed tour of order[cities]; fails where it lacks a fixed edge. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_length(const rooftop_routing_problem* problem, const int32_t* order,
                                                       int64_t* length);

/* 10 seconds, all threads, seed 1, nobody watching: what a null `options` stands for. */
ROOFTOP_ROUTING_API void rooftop_routing_default_options(rooftop_routing_options* options);
/* On failure *solution is null. */
ROOFTOP_ROUTING_API int rooftop_routing_solve(const rooftop_routing_problem* problem,
                                              const rooftop_routing_options* options,
                                              rooftop_routing_solution** solution);
ROOFTOP_ROUTING_API int rooftop_routing_solution_result(const rooftop_routing_solution* solution,
                                                        rooftop_routing_result* result);
/* Writes the tour as a TSPLIB file of the name. */
ROOFTOP_ROUTING_API int rooftop_routing_solution_write(const rooftop_routing_solution* solution, const char* name,
                                                       const char* path);
ROOFTOP_ROUTING_API void rooftop_routing_solution_destroy(rooftop_routing_solution* solution); /* null is fine */

#ifdef __cplusplus
}
#endif
#endif
