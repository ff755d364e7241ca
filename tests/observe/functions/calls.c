/* Functions whose calls are known, and whose arguments must arrive although each call is counted before they are read.
   Usage: calls HOW COUNT [THREADS]; test_function_calls.py says what must be seen. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
APART double weighted(int a, long b, double c, float d, double e, unsigned f, double g, short h, long i, double j);
APART double sum_of(int count, ...);
APART double twice(double value);
APART struct pair swapped(struct pair of, double by);
APART void* work(void* count);
APART void handled(int number);
_Atomic long done; /* a compiler leaves out calls that do nothing */

struct pair {
  double first, second;
};

double weighted(int a, long b, double c, float d, double e, unsigned f, double g, short h, long i, double j) {
  return a + 2.0 * (double)b + 3 * c + 4 * (double)d + 5 * e + 6.0 * f + 7 * g + 8.0 * h + 9.0 * (double)i + 10 * j;
}

double sum_of(int count, ...) {
  double sum = 0;
  va_list rest;
  va_start(rest, count);
  for (int i = 0; i < count; ++i) sum += va_arg(rest, double);
  va_end(rest);
  return sum;
}

double twice(double value) { return 2 * value; }

struct pair swapped(struct pair of, double by) { return (struct pair){of.second * by, of.first}; }

void* work(void* count) {
  double sum = 0;
  for (long i = 0; i < *(const long*)count; ++i) sum += twice((double)i);
  done += (long)sum;
  return NULL;
}

void handled(int number) { (void)!write(1, number == SIGUSR1 ? "signal\n" : "other\n", 7 - (number != SIGUSR1)); }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  long count = argc > 2 ? atol(argv[2]) : 0;
  double total = 0;
  if (strcmp(how, "arguments") == 0) {
    struct pair pair = {1, 2};
    for (int i = 0; i < (int)count; ++i) {
      total += weighted(i, -i, i / 3.0, (float)i / 8, 1.0 / (i + 1), (unsigned)i * 3, 0.5 * i, (short)i, i * 5L, i);
      total += sum_of(3, 1.0 * i, 0.25, -2.0 * i);
      pair = swapped(pair, 1.0 + 1.0 / (i + 1));
    }
    total += pair.first + pair.second;
  } else if (strcmp(how, "threads") == 0) {
    enum { MOST = 100 };
    pthread_t threads[MOST];
    const int wanted = argc > 3 ? atoi(argv[3]) : 1;
    for (int i = 0; i < wanted && i < MOST; ++i)
      if (pthread_create(&threads[i], NULL, work, &count) != 0) return 77;
    for (int i = 0; i < wanted && i < MOST; ++i) pthread_join(threads[i], NULL);
  } else if (strcmp(how, "children") == 0) {
    work(&count);
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 5; ++i) total += twice(i);
      execl(argv[0], argv[0], "arguments", "7", NULL);
    }
    waitpid(child, NULL, 0);
  } else if (strcmp(how, "left") == 0) {
    work(&count);
    _exit(3);
  } else if (strcmp(how, "not replaced") == 0) {
    work(&count);
    execl("/nowhere", "nowhere", NULL);
    work(&count);
  } else if (strcmp(how, "signal") == 0) {
    signal(SIGUSR1, handled);
    raise(SIGUSR1);
  }
  printf("%.17g\n", total);
  return 0;
}
