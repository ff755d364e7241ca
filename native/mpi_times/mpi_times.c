/* Sums the time that each rank spends inside MPI, between the end of MPI_Init and the beginning of MPI_Finalize.
   Preloaded into a program, which need not know of it: MPI's profiling interface lets a library stand before every call
   (MPI 4.0, chapter 15). In MPI_Finalize the first rank writes one line a rank to the file that ROOFTOP_MPI_TIMES
   names: rank, nanoseconds between the two, nanoseconds inside MPI, calls. Only calls of the thread that initialised
   MPI count, and of nested calls the outermost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mpi_calls.h"

#define SHOWN __attribute__((visibility("default")))
enum { INITIALISED, INSIDE, CALLS, FIGURES };

static long long begun_ns, inside_ns, calls;
static _Thread_local int counts; /* this thread's calls do */
static _Thread_local int depth;

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long enter(void) { return ++depth == 1 && counts ? now_ns() : 0; }

static void leave(long long since_ns) {
  if (--depth == 0 && counts) {
    inside_ns += now_ns() - since_ns;
    ++calls;
  }
}

static void begin(void) {
  counts = 1;
  inside_ns = calls = 0;
  begun_ns = now_ns();
}

static void end(void) {
  const char* name = getenv("ROOFTOP_MPI_TIMES");
  if (begun_ns == 0 || name == NULL) return;
  long long own[FIGURES] = {now_ns() - begun_ns, inside_ns, calls};
  begun_ns = 0;
  int rank = 0, ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long long* all = rank == 0 ? calloc((size_t)ranks * FIGURES, sizeof *all) : NULL;
  PMPI_Gather(own, FIGURES, MPI_LONG_LONG, all, FIGURES, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  FILE* file = all != NULL ? fopen(name, "w") : NULL;
  if (file != NULL) {
    for (int at = 0; at < ranks; ++at) {
      const long long* one = all + (size_t)at * FIGURES;
      fprintf(file, "%d %lld %lld %lld\n", at, one[INITIALISED], one[INSIDE], one[CALLS]);
    }
    fclose(file);
  }
  free(all);
}

/* --- C
 * -------------------------------------------------------------------------------------------------------------------
 */

#define IN_C(name, small, parameters, arguments, count) \
  SHOWN int MPI_##name parameters {                     \
    const long long since_ns = enter();                 \
    const int result = PMPI_##name arguments;           \
    leave(since_ns);                                    \
    return result;                                      \
  }
MPI_CALLS(IN_C)

SHOWN int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  begin();
  return result;
}

SHOWN int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  begin();
  return result;
}

SHOWN int MPI_Finalize(void) {
  end();
  return PMPI_Finalize();
}

/* --- Fortran, mpif.h and "use mpi": every argument is an address. The next library's symbol of the same name is
   called, so that no Fortran library need be linked.
   ------------------------------------------------------------------------------------- */

#define A(i) void* a##i
#define V(i) a##i
#define LIST_2(x) x(0), x(1)
#define LIST_3(x) LIST_2(x), x(2)
#define LIST_4(x) LIST_3(x), x(3)
#define LIST_5(x) LIST_4(x), x(4)
#define LIST_6(x) LIST_5(x), x(5)
#define LIST_7(x) LIST_6(x), x(6)
#define LIST_8(x) LIST_7(x), x(7)
#define LIST_9(x) LIST_8(x), x(8)
#define LIST_10(x) LIST_9(x), x(9)
#define LIST_11(x) LIST_10(x), x(10)
#define LIST_12(x) LIST_11(x), x(11)
#define LIST_13(x) LIST_12(x), x(12)
#define WITH_ERROR_1 LIST_2
#define WITH_ERROR_2 LIST_3
#define WITH_ERROR_3 LIST_4
#define WITH_ERROR_4 LIST_5
#define WITH_ERROR_5 LIST_6
#define WITH_ERROR_6 LIST_7
#define WITH_ERROR_7 LIST_8
#define WITH_ERROR_8 LIST_9
#define WITH_ERROR_9 LIST_10
#define WITH_ERROR_10 LIST_11
#define WITH_ERROR_12 LIST_13

#define IN_FORTRAN(name, small, parameters, arguments, count)                                      \
  SHOWN void mpi_##small##_(WITH_ERROR_##count(A)) {                                               \
    static void (*next)(WITH_ERROR_##count(A));                                                    \
    if (next == NULL) next = (void (*)(WITH_ERROR_##count(A)))dlsym(RTLD_NEXT, "mpi_" #small "_"); \
    const long long since_ns = enter();                                                            \
    next(WITH_ERROR_##count(V));                                                                   \
    leave(since_ns);                                                                               \
  }
MPI_CALLS(IN_FORTRAN)

SHOWN void mpi_init_(void* error) {
  ((void (*)(void*))dlsym(RTLD_NEXT, "mpi_init_"))(error);
  begin();
}

SHOWN void mpi_init_thread_(void* required, void* provided, void* error) {
  ((void (*)(void*, void*, void*))dlsym(RTLD_NEXT, "mpi_init_thread_"))(required, provided, error);
  begin();
}

SHOWN void mpi_finalize_(void* error) {
  end();
  ((void (*)(void*))dlsym(RTLD_NEXT, "mpi_finalize_"))(error);
}
