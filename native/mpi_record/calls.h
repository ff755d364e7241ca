/* How a call of MPI is wrapped: by its name, and by that of the profiling interface. Open MPI's Fortran libraries call
   the latter, and MPICH's the former, so that a call of any language comes here once. What runs inside is MPI's own
   function, which comes next behind this library. */
#pragma once
#include <mpi.h>
#include <stddef.h>

#include "communicators.h"
#include "events.h"
#include "requests.h"

#define SHOWN __attribute__((visibility("default")))

/* Return the function of that name that comes next. Ends the program where there is none. */
void* next_of(const char* name);
#define NEXT(name)                                                             \
  ({                                                                           \
    static __typeof__(&PMPI_##name) next;                                      \
    if (next == NULL) next = (__typeof__(&PMPI_##name))next_of("PMPI_" #name); \
    next;                                                                      \
  })
#define ALSO_BY_PMPI(name) \
  extern __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name), visibility("default")));

/* A call that ends when it returns: `what` is noted if it succeeded. CALL_AFTER does `first` before it. */
#define CALL(name, parameters, arguments, what) CALL_AFTER(name, parameters, , arguments, what)
#define CALL_AFTER(name, parameters, first, arguments, what) CALL_NAMED(NAMED(name), parameters, first, arguments, what)
#define CALL_NAMED(name, parameters, first, arguments, what) CALL_OF(name, parameters, first, arguments, what)
#define CALL_OF(name, parameters, first, arguments, what) \
  SHOWN int MPI_##name parameters {                       \
    first;                                                \
    enter();                                              \
    const int result = NEXT(name) arguments;              \
    if (recorded() && result == MPI_SUCCESS) {            \
      what;                                               \
    }                                                     \
    leave();                                              \
    return result;                                        \
  }                                                       \
  ALSO_BY_PMPI(name)

/* Calls with counts come twice in MPI 4: with int, and as MPI_…_c with MPI_Count. */
#ifdef LARGE_COUNTS
#define NAMED(name) name##_c
#define COUNT MPI_Count
#define PLACE MPI_Aint
#else
#define NAMED(name) name
#define COUNT int
#define PLACE int
#endif
