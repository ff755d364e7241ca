/* The shortest way around the corners of a square of side 10, and a city in the middle of a side. */
#include <rooftop/routing.h>
#include <stdio.h>

int main(void) {
  const double x[] = {0, 10, 10, 0, 5}, y[] = {0, 10, 0, 10, 10};
  rooftop_routing_problem* problem;
  rooftop_routing_solution* solution;
  rooftop_routing_result result;
  if (rooftop_routing_problem_in_plane(5, x, y, &problem) || rooftop_routing_solve(problem, NULL, &solution) ||
      rooftop_routing_solution_result(solution, &result)) {
    fprintf(stderr, "%s\n", rooftop_routing_last_error());
    return 1;
  }
  printf("%lld\n", (long long)result.length);
  const int failed = result.length != 40 || result.cities != 5;
  rooftop_routing_solution_destroy(solution);
  rooftop_routing_problem_destroy(problem);
  return failed;
}
