/* That network.h is C, and that its sequence works. */
#include <stddef.h>

#include "rooftop/network.h"

static int stop(const rooftop_network_progress* progress, void* with) {
  ++*(int*)with;
  return progress->plans < 0; /* never: the search ends at once */
}

int rooftop_network_c_caller(void) {
  const int32_t tail[] = {0, 0, 1}, head[] = {2, 1, 2}, zero[] = {0}, two[] = {2};
  const int64_t capacity[] = {100, 100, 100}, kg[] = {15};
  const double per_vehicle[] = {5, 1, 1, 1, 2, 2}, per_kg[6] = {0};
  const rooftop_network_problem problem = {3,  3,           1,      2,    1,    tail, head, capacity,
                                           10, per_vehicle, per_kg, zero, zero, two,  kg};
  rooftop_network_options options;
  rooftop_network_default_options(&options);
  options.iterations = 30;
  rooftop_network_solution* solution;
  rooftop_network_result result;
  if (rooftop_network_solve(&problem, &options, &solution)) return 1;
  if (rooftop_network_solution_result(solution, &result)) return 2;
  /* Two vehicles: over the hub for 4 and 8, or directly for 10 and 2. */
  if (result.plans != 2 || result.overload_kg != 0 || result.iterations != 30) return 3;
  if (result.points[0] != 4 || result.points[1] != 8 || result.points[2] != 10 || result.points[3] != 2) return 4;
  const int64_t* first;
  const int32_t* arcs;
  if (rooftop_network_solution_paths(solution, 0, &first, &arcs)) return 5;
  if (first[0] != 0 || first[1] != 2 || arcs[0] != 1 || arcs[1] != 2) return 6;
  if (rooftop_network_solution_paths(solution, 2, &first, &arcs) != ROOFTOP_NETWORK_INVALID_ARGUMENT) return 7;
  rooftop_network_solution_destroy(solution);

  int calls = 0;
  options.iterations = 0;
  options.seconds = 3600;
  options.watch = stop;
  options.watch_with = &calls;
  if (rooftop_network_solve(&problem, &options, &solution) || calls == 0) return 8;
  rooftop_network_solution_destroy(solution);
  return 0;
}
