/* One cube, pulled along z, is stretched by the stress over Young's modulus. */
#include <rooftop/elasticity.h>
#include <stdio.h>

int main(void) {
  const double young[] = {2}, poisson[] = {0.3};
  double load[24] = {0}, displacement[24] = {0};
  uint8_t held[24];
  for (int node = 0; node < 8; ++node) {
    for (int c = 0; c < 3; ++c) held[3 * node + c] = (node >> c & 1) == 0;
    if (node >> 2) load[3 * node + 2] = 0.25;
  }
  const rooftop_elasticity_body body = {{2, 2, 2}, NULL, 1, young, 1, poisson, load, held};
  rooftop_elasticity_result result;
  if (rooftop_elasticity_solve(&body, NULL, displacement, NULL, 0, &result)) {
    fprintf(stderr, "%s\n", rooftop_elasticity_last_error());
    return 1;
  }
  printf("%g after %d iterations\n", displacement[23], (int)result.iterations);
  return displacement[23] > 0.4999 && displacement[23] < 0.5001 ? 0 : 1;
}
