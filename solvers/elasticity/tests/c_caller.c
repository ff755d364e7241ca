/* That elasticity.h is C, and that its sequence works. */
#include <math.h>
#include <stddef.h>

#include "rooftop/elasticity.h"

static int stop(const rooftop_elasticity_progress* progress, void* with) {
  ++*(int*)with;
  return progress->seconds < 0; /* never: the iteration ends at once */
}

int rooftop_elasticity_c_caller(void) {
  /* One cube, pulled along z. */
  const double one[] = {1}, poisson[] = {0.3};
  double load[24] = {0}, displacement[24] = {0}, residuals[8] = {0};
  uint8_t held[24] = {0};
  for (int node = 0; node < 8; ++node) {
    for (int c = 0; c < 3; ++c) held[3 * node + c] = (node >> c & 1) == 0;
    if (node >> 2) load[3 * node + 2] = 0.25;
  }
  rooftop_elasticity_body body = {{2, 2, 2}, NULL, 1, one, 1, poisson, load, held};
  rooftop_elasticity_options options;
  rooftop_elasticity_default_options(&options);
  options.threads = 1;
  rooftop_elasticity_result result;
  if (rooftop_elasticity_solve(&body, &options, displacement, residuals, 8, &result)) return 1;
  if (result.outcome != 0 || result.iterations < 1 || residuals[0] != 1) return 2;
  if (fabs(displacement[23] - 1) > 1e-6 || fabs(displacement[21] + 0.3) > 1e-6) return 3;
  if (rooftop_elasticity_solve(&body, NULL, displacement, NULL, 0, &result)) return 4;
  if (result.iterations != 0) return 5;
  body.held = NULL;
  if (rooftop_elasticity_solve(&body, NULL, displacement, NULL, 0, &result) != ROOFTOP_ELASTICITY_INVALID_ARGUMENT)
    return 6;
  body.held = held;
  /* The same cube as a mesh of one hexahedron. */
  const int64_t nodes[] = {0, 1, 3, 2, 4, 5, 7, 6};
  double coordinates[24];
  for (int value = 0; value < 24; ++value) {
    coordinates[value] = value / 3 >> value % 3 & 1;
    displacement[value] = 0;
  }
  const rooftop_elasticity_elements blocks[] = {{ROOFTOP_ELASTICITY_TETRAHEDRON, 0, NULL},
                                                {ROOFTOP_ELASTICITY_HEXAHEDRON, 1, nodes}};
  rooftop_elasticity_mesh mesh = {.nodes = 8,
                                  .coordinates = coordinates,
                                  .blocks = 2,
                                  .elements = blocks,
                                  .young_values = 1,
                                  .young = one,
                                  .poisson_values = 1,
                                  .poisson = poisson,
                                  .load = load,
                                  .held = held};
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result)) return 8;
  if (result.outcome != 0 || fabs(displacement[23] - 1) > 1e-6) return 9;
  /* The upper side moves as one of its nodes does: nothing changes. */
  const int64_t dependent[] = {14, 17, 20}, start[] = {0, 1, 2, 3}, independent[] = {23, 23, 23};
  const double constant[] = {0, 0, 0}, factor[] = {1, 1, 1};
  mesh.dependences = 3;
  mesh.dependent = dependent;
  mesh.start = start;
  mesh.independent = independent;
  mesh.factor = factor;
  mesh.constant = constant;
  for (int value = 0; value < 24; ++value) displacement[value] = 0;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result)) return 12;
  if (result.outcome != 0 || fabs(displacement[14] - 1) > 1e-6 || fabs(displacement[23] - 1) > 1e-6) return 13;
  mesh.constant = NULL;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result) != ROOFTOP_ELASTICITY_INVALID_ARGUMENT)
    return 14;
  mesh.dependences = 0;
  /* And by the stiffness of its material: lame, 2 shear and shear of a Poisson's ratio of 0.3. */
  const double first = 0.3 / 1.3 / 0.4, second = 0.5 / 1.3;
  double stiffness[21] = {0};
  for (int column = 0, value = 0; column < 6; ++column) {
    for (int row = 0; row <= column; ++row, ++value) {
      if (column < 3) stiffness[value] = first;
      if (row == column) stiffness[value] += column < 3 ? 2 * second : second;
    }
  }
  mesh.stiffness_values = 1;
  mesh.stiffness = stiffness;
  mesh.young = mesh.poisson = NULL;
  for (int value = 0; value < 24; ++value) displacement[value] = 0;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result)) return 15;
  if (result.outcome != 0 || fabs(displacement[23] - 1) > 1e-6) return 16;
  mesh.stiffness = NULL;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result) != ROOFTOP_ELASTICITY_INVALID_ARGUMENT)
    return 17;
  mesh.stiffness_values = 0;
  mesh.young = one;
  mesh.poisson = poisson;
  mesh.nodes = -1;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result) != ROOFTOP_ELASTICITY_INVALID_ARGUMENT)
    return 10;
  mesh.nodes = 8;
  const rooftop_elasticity_elements unknown = {-1, 1, nodes};
  mesh.blocks = 1;
  mesh.elements = &unknown;
  if (rooftop_elasticity_solve_mesh(&mesh, NULL, displacement, NULL, 0, &result) != ROOFTOP_ELASTICITY_INVALID_ARGUMENT)
    return 11;
  int calls = 0;
  options.watch = stop;
  options.watch_with = &calls;
  if (rooftop_elasticity_solve(&body, &options, displacement, NULL, 0, &result)) return 7;
  return 0;
}
