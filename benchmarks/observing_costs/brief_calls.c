// Calls of one kind in a loop; prints the nanoseconds that one takes: brief_calls KIND CALLS
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The sum of what a loop did, so that it is done. */
static uintptr_t kept;

static void allocations(long calls) {
  for (long i = 0; i < calls; i += 2) {
    char* volatile memory = malloc(48);
    kept += (uintptr_t)memory & 1;
    free(memory);
  }
}

static void reads(long calls) {
  const int file = open("/dev/zero", O_RDONLY);
  char byte = 0;
  for (long i = 0; i < calls; ++i) kept += (uintptr_t)read(file, &byte, 1);
  close(file);
}

__attribute__((noinline)) static void function(void) { __asm__ volatile("" ::: "memory"); }

static void functions(long calls) {
  for (long i = 0; i < calls; ++i) function();
}

static void regions(long calls) {
  for (long i = 0; i < calls; ++i) {
#pragma omp parallel
    __asm__ volatile("" ::: "memory");
  }
}

#ifdef WITH_MPI
static void messages(long calls) {
  int arrived = 0;
  for (long i = 0; i < calls; ++i) MPI_Iprobe(0, 1, MPI_COMM_SELF, &arrived, MPI_STATUS_IGNORE);
  kept += (uintptr_t)arrived;
}
#endif

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* kind = words[1];
  const long calls = atol(words[2]);
  void (*loop)(long) = NULL;
  if (strcmp(kind, "allocations") == 0) loop = allocations;
  if (strcmp(kind, "reads") == 0) loop = reads;
  if (strcmp(kind, "functions") == 0) loop = functions;
  if (strcmp(kind, "regions") == 0) loop = regions;
#ifdef WITH_MPI
  if (strcmp(kind, "messages") == 0) loop = messages;
  MPI_Init(&count, &words);
#endif
  if (loop == NULL) return 2;
  loop(calls / 100 + 2);
  const double began = now_ns();
  loop(calls);
  const double took = now_ns() - began;
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  printf("%.3f\n", took / (double)calls);
  return kept == UINTPTR_MAX;
}
