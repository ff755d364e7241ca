/* Fault: a serial section. Of every step a part is computed by one thread while the others wait, for 60 % of the time
 * on two cores. Cured: this part runs on all threads, too.
 * Usage: serial_section [SCALE] [cured] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 8, SERIAL = 3, PARALLEL = 4 };

static double value(double x) {
  for (int i = 0; i < 20; ++i) x = sqrt(x + 0.5 * i);
  return x;
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  const long count = (long)(5e5 * scale) + 1;
  double* all = calloc((size_t)count * (SERIAL + PARALLEL), sizeof *all);
  if (all == NULL) return 1;
  for (int step = 0; step < STEPS; ++step) {
#pragma omp parallel for schedule(static) if (cured)
    for (long i = 0; i < SERIAL * count; ++i) all[i] = value(all[i] + step);
#pragma omp parallel for schedule(static)
    for (long i = SERIAL * count; i < (SERIAL + PARALLEL) * count; ++i) all[i] = value(all[i] + step);
  }
  double sum = 0.0;
  for (long i = 0; i < (SERIAL + PARALLEL) * count; i += 7) sum += all[i];
  printf("checksum %.17g\n", sum);
  free(all);
  return 0;
}
