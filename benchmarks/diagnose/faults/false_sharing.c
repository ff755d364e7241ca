/* Fault: false sharing. Each thread counts in a row of its own, but the rows lie side by side in one cache line, which
 * moves between the cores with every count. Cured: the rows are 128 bytes apart.
 * Usage: false_sharing [SCALE] [cured] */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 2, LINE = 16 };

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int stride = argc > 2 && strcmp(argv[2], "cured") == 0 ? LINE : BINS;
  const long count = (long)(7e8 * scale);
  const int threads = omp_get_max_threads();
  const size_t bytes = ((size_t)threads + 1) * LINE * sizeof(uint64_t);
  uint64_t* counts = aligned_alloc(128, bytes);
  if (counts == NULL) return 1;
  memset(counts, 0, bytes);
#pragma omp parallel
  {
    volatile uint64_t* mine = counts + (long)omp_get_thread_num() * stride;
#pragma omp for schedule(static)
    for (long i = 0; i < count; ++i) mine[((uint64_t)i * 0x9E3779B97F4A7C15u) >> 63] += 1;
  }
  uint64_t sums[BINS] = {0, 0};
  for (int thread = 0; thread < threads; ++thread)
    for (int bin = 0; bin < BINS; ++bin) sums[bin] += counts[thread * stride + bin];
  printf("checksum %llu\n", (unsigned long long)(sums[0] + 3 * sums[1]));
  free(counts);
  return 0;
}
