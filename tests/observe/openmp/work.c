/* A library with a region, whose last call may be compiled to a jump. */
#include <omp.h>

static long sum;

long work(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    sum += 10 + omp_get_thread_num();
#pragma omp barrier
  }
  return sum;
}
