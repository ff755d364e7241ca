/* A field is smoothed, each value fetched by a function that looks at the edges: some ten million calls of it take most
   of the time. Cured: the same function, inlined.

   Usage: small_calls [SCALE] [cured] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256 };

struct field {
  double values[SIDE][SIDE];
};

/* As if it were in another file: it is not inlined. */
__attribute__((noinline)) double at(const struct field* field, int row, int column);
double at(const struct field* field, int row, int column) {
  return field->values[(row + SIDE) % SIDE][(column + SIDE) % SIDE];
}

static inline double at_inlined(const struct field* field, int row, int column) {
  return field->values[(row + SIDE) % SIDE][(column + SIDE) % SIDE];
}

int main(int argc, char** argv) {
  const double scale = argc > 1 ? atof(argv[1]) : 1.0;
  const int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  static struct field fields[2];
  for (int row = 0; row < SIDE; ++row)
    for (int column = 0; column < SIDE; ++column) fields[0].values[row][column] = (row * 7 + column * 5) % 11;
  const long steps = (long)(300 * scale) + 1;
  for (long step = 0; step < steps; ++step) {
    const struct field* from = &fields[step % 2];
    struct field* to = &fields[(step + 1) % 2];
    for (int row = 0; row < SIDE; ++row) {
      for (int column = 0; column < SIDE; ++column) {
        to->values[row][column] = cured
                                      ? 0.25 * (at_inlined(from, row - 1, column) + at_inlined(from, row + 1, column) +
                                                at_inlined(from, row, column - 1) + at_inlined(from, row, column + 1))
                                      : 0.25 * (at(from, row - 1, column) + at(from, row + 1, column) +
                                                at(from, row, column - 1) + at(from, row, column + 1));
      }
    }
  }
  printf("%.17g\n", fields[steps % 2].values[3][5]);
  return 0;
}
