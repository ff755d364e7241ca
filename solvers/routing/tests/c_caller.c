/* That routing.h is C, and that the sequence it shows works. */
#include <stddef.h>

#include "rooftop/routing.h"

static int stop(const rooftop_routing_progress* progress, void* with) {
  ++*(int*)with;
  return progress->length < 0; /* never: the search ends at once */
}

int rooftop_routing_c_caller(void) {
  enum { cities = 12 };
  double x[cities], y[cities];
  for (int i = 0; i < cities; ++i) x[i] = 100.0 * (i % 4), y[i] = 100.0 * (i / 4);
  rooftop_routing_problem* problem;
  if (rooftop_routing_problem_in_plane(cities, x, y, &problem)) return 1;

  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  options.iterations = 200;
  rooftop_routing_solution* solution;
  if (rooftop_routing_solve(problem, &options, &solution)) return 2;
  rooftop_routing_result result;
  if (rooftop_routing_solution_result(solution, &result)) return 3;
  int64_t length = 0;
  if (rooftop_routing_problem_length(problem, result.order, &length) || length != result.length) return 4;
  if (result.length != 1200 || result.cities != cities || result.iterations != 200) return 5;
  if (result.history_count < 1 || result.history[result.history_count - 1].length != 1200) return 6;
  rooftop_routing_solution_destroy(solution);

  int calls = 0;
  options.iterations = 0;
  options.seconds = 3600;
  options.watch = stop;
  options.watch_with = &calls;
  if (rooftop_routing_solve(problem, &options, &solution) || calls == 0) return 7;
  rooftop_routing_solution_destroy(solution);
  rooftop_routing_problem_destroy(problem);
  return 0;
}
