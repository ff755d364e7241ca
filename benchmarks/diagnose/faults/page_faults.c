/* Fault: page faults. A block of 8 MiB is taken and freed in every iteration, and since the program fixes glibc's
 * threshold, each is mapped anew and its pages are faulted in again. Cured: each thread keeps its block.
 * Usage: page_faults [SCALE] [cured] */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 8 << 20 };

static uint64_t used(unsigned char* block, long i) {
  memset(block, (int)(i & 0xff), BYTES);
  return block[(i * 4099) % BYTES];
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  const long count = (long)(300 * scale) + 1;
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    unsigned char* kept = cured ? malloc(BYTES) : NULL;
#pragma omp for schedule(static)
    for (long i = 0; i < count; ++i) {
      unsigned char* block = cured ? kept : malloc(BYTES);
      if (block == NULL) abort();
      sum += used(block, i);
      if (!cured) free(block);
    }
    free(kept);
  }
  printf("checksum %llu\n", (unsigned long long)sum);
  return 0;
}
