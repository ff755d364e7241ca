/* Fault: a scalar loop. Every addition waits for the one before it, and the compiler may not change their order: one
 * element takes the latency of an addition. Cured: sixteen sums, which the compiler turns into vectors.
 * Usage: scalar_loop [SCALE] [cured] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1024, SUMS = 16, ROWS = 64 };

static double dot(const double* a, const double* b) {
  double sum = 0.0;
  for (int i = 0; i < COUNT; ++i) sum += a[i] * b[i];
  return sum;
}

static double dot_by_vectors(const double* a, const double* b) {
  double sums[SUMS] = {0.0}, sum = 0.0;
  for (int i = 0; i < COUNT; i += SUMS)
    for (int k = 0; k < SUMS; ++k) sums[k] += a[i + k] * b[i + k];
  for (int k = 0; k < SUMS; ++k) sum += sums[k];
  return sum;
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  const long count = (long)(3.6e6 * scale) + 1;
  static double rows[ROWS][COUNT];
  for (int row = 0; row < ROWS; ++row)
    for (int i = 0; i < COUNT; ++i) rows[row][i] = (row * 7 + i * 5) % 11;
  double total = 0.0; /* of whole numbers: exact in any order */
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (long i = 0; i < count; ++i) {
    const double *a = rows[i % ROWS], *b = rows[(i * 3 + 1) % ROWS];
    total += cured ? dot_by_vectors(a, b) : dot(a, b);
  }
  printf("checksum %.17g\n", total);
  return 0;
}
