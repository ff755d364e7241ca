/* A matrix product in blocks, as a program to be tuned: blocked_product N BI BJ BK. Prints the sum of the result, which
 * is a whole number whatever the blocks are. */
#include <stdio.h>
#include <stdlib.h>

static int smaller(int a, int b) { return a < b ? a : b; }

int main(int argc, char** argv) {
  if (argc != 5) return fprintf(stderr, "expected N BI BJ BK\n"), 2;
  const int n = atoi(argv[1]), bi = atoi(argv[2]), bj = atoi(argv[3]), bk = atoi(argv[4]);
  if (n < 1 || n > 4096 || bi < 1 || bj < 1 || bk < 1) return fprintf(stderr, "sizes out of range\n"), 2;
  const size_t floats = (size_t)n * (size_t)n;
  float* a = malloc(floats * sizeof *a);
  float* b = malloc(floats * sizeof *b);
  float* c = calloc(floats, sizeof *c);
  if (!a || !b || !c) return fprintf(stderr, "out of memory\n"), 1;
  for (size_t i = 0; i < floats; ++i) {
    a[i] = (float)(i % 3);
    b[i] = (float)(i % 5) - 2;
  }
#pragma omp parallel for schedule(static)
  for (int i0 = 0; i0 < n; i0 += bi) {
    for (int k0 = 0; k0 < n; k0 += bk) {
      for (int j0 = 0; j0 < n; j0 += bj) {
        const int j1 = smaller(j0 + bj, n);
        for (int i = i0; i < smaller(i0 + bi, n); ++i) {
          for (int k = k0; k < smaller(k0 + bk, n); ++k) {
            const float factor = a[i * n + k];
            for (int j = j0; j < j1; ++j) c[i * n + j] += factor * b[k * n + j];
          }
        }
      }
    }
  }
  double sum = 0;
  for (size_t i = 0; i < floats; ++i) sum += c[i];
  printf("sum %.0f\n", sum);
  free(a), free(b), free(c);
  return 0;
}
