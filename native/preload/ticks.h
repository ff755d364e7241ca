/* The time in ticks, which take less to read than nanoseconds. They are nanoseconds, or the processor's counter's where
   the kernel takes the time from it too: a tick is what the counter says of a long time then. */
#pragma once
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Whether the processor's counter is read, not the clock. Each library defines it, and sets it before the first tick.
 */
extern int by_counter;

/* Return whether the kernel takes the time from a counter that is as fast as ever, and the same on all cores. */
static inline int counter_is_good(void) {
  char name[16] = "";
  FILE* file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
  if (file == NULL) return 0;
  const int read = fscanf(file, "%15s", name);
  fclose(file);
  return read == 1 && strcmp(name, "tsc") == 0;
}

static inline long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static inline long long now_ticks(void) {
#ifdef __x86_64__
  if (by_counter) return (long long)__builtin_ia32_rdtsc();
#endif
  return now_ns();
}
