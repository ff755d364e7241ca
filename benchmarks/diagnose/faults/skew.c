/* Fault: skew. The work of an iteration grows with its number, and a static schedule gives the last thread most of it.
 * Cured: a dynamic schedule. The schedule is that of OMP_SCHEDULE; where it is not set, static.
 * Usage: skew [SCALE] [cured] */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2000, STEPS = 10 };

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  if (cured)
    omp_set_schedule(omp_sched_dynamic, 4);
  else if (getenv("OMP_SCHEDULE") == NULL)
    omp_set_schedule(omp_sched_static, 0);
  const long each = (long)(20 * scale) + 1;
  static double rows[ROWS];
  for (int step = 0; step < STEPS; ++step) {
#pragma omp parallel for schedule(runtime)
    for (int row = 0; row < ROWS; ++row) {
      double x = rows[row];
      for (long i = 0; i < each * row; ++i) x = sqrt(x + 1.5);
      rows[row] = x + step;
    }
  }
  double sum = 0.0;
  for (int row = 0; row < ROWS; ++row) sum += rows[row];
  printf("checksum %.17g\n", sum);
  return 0;
}
