/* Healthy: a matrix product in blocks that fit the caches, vectorised, its rows divided evenly among all threads.
 * Usage: product [SCALE] */
#include <stdio.h>
#include <stdlib.h>

enum { N = 960, ROWS = 4, COLUMNS = 32, DEPTH = 240 };

static double a[N][N], b[N][N], c[N][N];

static void block(int i, int j, int k0) {
  double sums[ROWS][COLUMNS];
  for (int r = 0; r < ROWS; ++r)
    for (int s = 0; s < COLUMNS; ++s) sums[r][s] = c[i + r][j + s];
  for (int k = k0; k < k0 + DEPTH; ++k)
    for (int r = 0; r < ROWS; ++r)
      for (int s = 0; s < COLUMNS; ++s) sums[r][s] += a[i + r][k] * b[k][j + s];
  for (int r = 0; r < ROWS; ++r)
    for (int s = 0; s < COLUMNS; ++s) c[i + r][j + s] = sums[r][s];
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int times = (int)(24 * scale) + 1;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a[i][j] = (i + j) % 7, b[i][j] = (i * j) % 5;
    for (int time = 0; time < times; ++time)
#pragma omp for schedule(static) nowait
      for (int i = 0; i < N; i += ROWS)
        for (int k = 0; k < N; k += DEPTH)
          for (int j = 0; j < N; j += COLUMNS) block(i, j, k);
  }
  double sum = 0.0;
  for (int i = 0; i < N; ++i) sum += c[i][(i * 7) % N];
  printf("checksum %.17g\n", sum);
  return 0;
}
