/* Fault: stacked threads. It is started with all its threads on one core: OMP_PLACES has one core. The program itself
 * is balanced. Cured: started with a core for each thread.
 * Usage: stacked_threads [SCALE] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4000, STEPS = 4 };

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const long times = (long)(12e3 * scale) + 1;
  static double values[COUNT];
  for (int step = 0; step < STEPS; ++step) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < COUNT; ++i) {
      double x = values[i];
      for (long k = 0; k < times; ++k) x = sqrt(x + 1.5);
      values[i] = x + i;
    }
  }
  double sum = 0.0;
  for (int i = 0; i < COUNT; ++i) sum += values[i];
  printf("checksum %.17g\n", sum);
  return 0;
}
