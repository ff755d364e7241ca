/* Fault: a storm of barriers. Every row of 256 elements is a parallel region of its own, so that threads mostly start
 * and wait for each other. Cured: one parallel region over all rows of a step.
 * Usage: barrier_storm [SCALE] [cured] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000, COLUMNS = 256 };

static float values[ROWS][COLUMNS];

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  const int steps = (int)(1300 * scale) + 1;
  for (int step = 0; step < steps; ++step) {
    if (cured) {
#pragma omp parallel for schedule(static)
      for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column)
          values[row][column] = 0.5f * values[row][column] + (float)(row + column);
      continue;
    }
    for (int row = 0; row < ROWS; ++row) {
#pragma omp parallel for schedule(static)
      for (int column = 0; column < COLUMNS; ++column)
        values[row][column] = 0.5f * values[row][column] + (float)(row + column);
    }
  }
  double sum = 0.0;
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column) sum += values[row][column];
  printf("checksum %.17g\n", sum);
  return 0;
}
