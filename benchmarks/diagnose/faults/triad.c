/* Healthy: a triad over arrays that are larger than the caches, on all threads, each of which touched its part first:
 * as fast as memory allows.
 * Usage: triad [SCALE] */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const long count = 8L << 20;
  const int times = (int)(240 * scale) + 1;
  double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), *c = malloc(count * sizeof *c);
  if (a == NULL || b == NULL || c == NULL) return 1;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 0; i < count; ++i) a[i] = 0.0, b[i] = (double)(i % 9), c[i] = 1.0;
    for (int time = 0; time < times; ++time)
#pragma omp for schedule(static) nowait
      for (long i = 0; i < count; ++i) a[i] = b[i] + 0.5 * c[i];
  }
  double sum = 0.0;
  for (long i = 0; i < count; i += 997) sum += a[i];
  printf("checksum %.17g\n", sum);
  free(a);
  free(b);
  free(c);
  return 0;
}
