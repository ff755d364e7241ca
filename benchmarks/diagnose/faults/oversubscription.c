/* Fault: oversubscription. It is started with four threads for each core. Where they wait for each other they spin, and
 * so take the core from those they wait for. Cured: one thread for each core.
 * Usage: oversubscription [SCALE] [cured] */
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096 };

static atomic_int arrived, round_now;

static void wait_for_all(int threads) {
  const int mine = atomic_load(&round_now);
  if (atomic_fetch_add(&arrived, 1) == threads - 1) {
    atomic_store(&arrived, 0);
    atomic_store(&round_now, mine + 1);
  }
  while (atomic_load_explicit(&round_now, memory_order_acquire) == mine) {
  }
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  if (argc > 2 && strcmp(argv[2], "cured") == 0) omp_set_num_threads(omp_get_num_procs());
  const int steps = (int)(150 * scale) + 1;
  static double values[COUNT];
#pragma omp parallel
  for (int step = 0; step < steps; ++step) {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < COUNT; ++i) {
      double x = values[i];
      for (int k = 0; k < 100; ++k) x = sqrt(x + 1.5);
      values[i] = x + i;
    }
    wait_for_all(omp_get_num_threads());
  }
  double sum = 0.0;
  for (int i = 0; i < COUNT; ++i) sum += values[i];
  printf("checksum %.17g\n", sum);
  return 0;
}
