/* Three tonnes in two vehicles, by the cheaper of two arcs. */
#include <rooftop/network.h>
#include <stdio.h>

int main(void) {
  const int32_t zeros[] = {0, 0}, ones[] = {1, 1};
  const int64_t capacity[] = {4000, 4000}, kg[] = {3000};
  const double per_vehicle[] = {3, 5}, per_kg[] = {0, 0};
  const rooftop_network_problem problem = {2,    2,           1,      1,     1,     zeros, ones, capacity,
                                           2000, per_vehicle, per_kg, zeros, zeros, ones,  kg};
  rooftop_network_options options;
  rooftop_network_default_options(&options);
  options.iterations = 10;
  rooftop_network_solution* solution;
  rooftop_network_result result;
  if (rooftop_network_solve(&problem, &options, &solution) || rooftop_network_solution_result(solution, &result)) {
    fprintf(stderr, "%s\n", rooftop_network_last_error());
    return 1;
  }
  const double cost = result.points[0];
  printf("%g\n", cost);
  rooftop_network_solution_destroy(solution);
  return cost == 6 ? 0 : 1;
}
