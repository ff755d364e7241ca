/* Short tours of travelling salesman problems: the C interface of rooftop/routing.hpp, where the terms are
 * explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_routing_last_error(). No function throws, prints or ends the process.
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
/* Incremented whenever a function or structure below changes its meaning or layout. */
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

/* Return 0 to end the search. Called on the thread that called rooftop_routing_solve(); in a forked process that has
 * not called exec(), on another thread while that one waits. */
typedef int (*rooftop_routing_watch)(const rooftop_routing_progress* progress, void* with);
/* Called with the best tour on the same thread. order[cities] starts at any city and is valid during the call. */
typedef void (*rooftop_routing_show)(const rooftop_routing_progress* progress, const int32_t* order, void* with);

typedef struct {
  double seconds;     /* time limit, ignored if iterations are given */
  int64_t iterations; /* number of ants; 0: until the time is over */
  uint64_t seed;
  int32_t threads;             /* 0: OpenMP's default */
  rooftop_routing_watch watch; /* or null */
  void* watch_with;            /* passed to watch as `with` */
  rooftop_routing_show show;   /* or null: called with a shorter tour, at most once in show_every seconds */
  double show_every;
  void* show_with;
  /* Optional flag. A value other than 0, which any thread or signal handler may write, ends the search within a
   * fraction of a second; the best result so far is returned. */
  const int32_t* stop;
  /* Or null: order[cities] of the tour to start from, with all fixed edges. The result is never longer. */
  const int32_t* initial;
} rooftop_routing_options;

/* `history` has an entry for each improvement of the best tour. Valid as long as the solution. */
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
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_ROUTING_API const char* rooftop_routing_last_error(void);

/* Reads a TSPLIB 95 file. On failure, this function and the next three set *problem to null. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_read(const char* path, rooftop_routing_problem** problem);
/* Reads the text[size] of such a file; messages name it `source`. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_of_text(const char* text, int64_t size, const char* source,
                                                        rooftop_routing_problem** problem);
/* Cities in the plane at finite coordinates x[cities], y[cities]. Distances are Euclidean, rounded to the nearest
 * integer. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_in_plane(int32_t cities, const double* x, const double* y,
                                                         rooftop_routing_problem** problem);
/* A matrix of distances: that from city i to city j is matrix[i * cities + j], from -2147483647 to 2147483647. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_of_matrix(int32_t cities, const int32_t* matrix,
                                                          rooftop_routing_problem** problem);
ROOFTOP_ROUTING_API void rooftop_routing_problem_destroy(rooftop_routing_problem* problem); /* null is fine */
ROOFTOP_ROUTING_API int rooftop_routing_problem_cities(const rooftop_routing_problem* problem, int32_t* cities);
/* Skipped keywords of the problem's file, one per line; "" if there are none. Valid as long as the problem. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_remarks(const rooftop_routing_problem* problem);
/* The problem's NAME, and its cities' coordinates (longitude and latitude for GEO), null if the file has none. Valid as
 * long as the problem. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_name(const rooftop_routing_problem* problem);
ROOFTOP_ROUTING_API const double* rooftop_routing_problem_x(const rooftop_routing_problem* problem);
ROOFTOP_ROUTING_API const double* rooftop_routing_problem_y(const rooftop_routing_problem* problem);
/* TSPLIB's EDGE_WEIGHT_TYPE, such as EUC_2D, or EXPLICIT for a matrix. */
ROOFTOP_ROUTING_API const char* rooftop_routing_problem_metric(const rooftop_routing_problem* problem);
/* The matrix of distances, laid out as for rooftop_routing_problem_of_matrix(); null if the problem has none. Valid as
 * long as the problem. */
ROOFTOP_ROUTING_API const int32_t* rooftop_routing_problem_matrix(const rooftop_routing_problem* problem);
/* Reads the tour in the text[size] of a TSPLIB file of TYPE TOUR into order[cities]; messages name the text `source`.
 */
ROOFTOP_ROUTING_API int rooftop_routing_problem_tour_of_text(const rooftop_routing_problem* problem, const char* text,
                                                             int64_t size, const char* source, int32_t* order);
/* Computes the length of the closed tour order[cities]. Fails if the tour lacks a fixed edge. */
ROOFTOP_ROUTING_API int rooftop_routing_problem_length(const rooftop_routing_problem* problem, const int32_t* order,
                                                       int64_t* length);

/* Sets the defaults, which null `options` also mean: 10 seconds, all threads, seed 1, no callbacks. */
ROOFTOP_ROUTING_API void rooftop_routing_default_options(rooftop_routing_options* options);
/* Sets *solution to null on failure. */
ROOFTOP_ROUTING_API int rooftop_routing_solve(const rooftop_routing_problem* problem,
                                              const rooftop_routing_options* options,
                                              rooftop_routing_solution** solution);
ROOFTOP_ROUTING_API int rooftop_routing_solution_result(const rooftop_routing_solution* solution,
                                                        rooftop_routing_result* result);
/* Writes the tour to `path` as a TSPLIB file whose NAME is `name`. */
ROOFTOP_ROUTING_API int rooftop_routing_solution_write(const rooftop_routing_solution* solution, const char* name,
                                                       const char* path);
ROOFTOP_ROUTING_API void rooftop_routing_solution_destroy(rooftop_routing_solution* solution); /* null is fine */

#ifdef __cplusplus
}
#endif
#endif
