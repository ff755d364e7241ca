/* Keeps a processor busy in bursts of 20 to 400 ms, with pauses as long, until it is killed. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  for (;;) {
    double until_s = now_s() + 0.02 + 0.38 * rand_r(&seed) / RAND_MAX;
    while (now_s() < until_s) {
    }
    usleep((useconds_t)(20000 + 380000.0 * rand_r(&seed) / RAND_MAX));
  }
}
