/* Fault: one thread touches the memory first. It zeroes fields that all threads then use, so that it alone takes the
 * page faults, and on several NUMA nodes all pages lie in its node. Cured: each thread zeroes the part that it uses.
 * Usage: first_touch [SCALE] [cured] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIELDS = 8 };

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  const long count = (long)(3e7 * scale) + 1;
  double sum = 0.0;
  for (int field = 0; field < FIELDS; ++field) {
    const size_t bytes = (size_t)count * sizeof(double);
    double* values = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (values == MAP_FAILED) return 1;
#pragma omp parallel for schedule(static) if (cured)
    for (long i = 0; i < count; ++i) values[i] = 0.0;
    for (int step = 0; step < 3; ++step) {
#pragma omp parallel for schedule(static)
      for (long i = 0; i < count; ++i) values[i] = 0.5 * values[i] + (double)(i % 16 + field);
    }
    for (long i = 0; i < count; i += 997) sum += values[i];
    munmap(values, bytes);
  }
  printf("checksum %.17g\n", sum);
  return 0;
}
