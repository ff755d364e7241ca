/* The calls of C, timed between the end of MPI_Init and the beginning of MPI_Finalize. The library is preloaded into a
   program, which need not know of it: MPI's profiling interface lets a library stand before every call (MPI 4.0,
   chapter 15). tally.c says what it writes, mpi_fortran.c has the calls of Fortran. */
#include <mpi.h>

#include "../mpi_preloaded/begin_and_end.h"
#include "sent.h"
#include "tally.h"

#define SHOWN __attribute__((visibility("default")))
#define INT(argument) (argument)
#define INTS(argument) (argument)
#define TYPE(argument) (argument)
#define TYPE_AT(argument, i) ((argument)[i])
#define COMM(argument) (argument)
#define REQUEST(argument) (*(argument))
#define REQUEST_AT(argument, i) ((argument)[i])
#define IN_PLACE(argument) ((argument) == MPI_IN_PLACE)

#define IN_C(name, small, parameters, arguments, count, sent) \
  SHOWN int MPI_##name parameters {                           \
    const enum call call = CALL_##name;                       \
    const long long since = enter();                          \
    const int result = PMPI_##name arguments;                 \
    struct tally* const tally = leave(call, since);           \
    if (tally != NULL && result == MPI_SUCCESS) {             \
      sent;                                                   \
    }                                                         \
    return result;                                            \
  }
MPI_CALLS(IN_C)

#define FREES_IN_C(name, small)           \
  SHOWN int MPI_##name(MPI_Comm* comm) {  \
    if (comm != NULL) forget(*comm);      \
    const long long since = enter();      \
    const int result = PMPI_##name(comm); \
    leave(CALL_##name, since);            \
    return result;                        \
  }
MPI_FREES(FREES_IN_C)
